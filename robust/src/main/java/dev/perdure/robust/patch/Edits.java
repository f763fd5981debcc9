package dev.perdure.robust.patch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Texts to be put into a source, by the places that they go to. */
final class Edits {
  /** What stands at one place, from left to right. */
  private static final class Place {
    private final Set<String> closing = new LinkedHashSet<>();
    private final Set<String> opening = new LinkedHashSet<>();

    /** The innermost last. */
    private final List<String> wrapping = new ArrayList<>();

    private boolean closes;
    private boolean opens;
    private String closingBrace = "";
    private String openingBrace = "";

    private String text() {
      StringBuilder text = new StringBuilder();
      closing.forEach(text::append);
      text.append(closes ? closingBrace : "");
      text.append(opens ? openingBrace : "");
      opening.forEach(text::append);
      wrapping.forEach(text::append);
      return text.toString();
    }
  }

  private final SourceText source;
  private final TreeMap<Integer, Place> places = new TreeMap<>();

  Edits(SourceText source) {
    this.source = source;
  }

  private Place place(int offset) {
    return places.computeIfAbsent(offset, o -> new Place());
  }

  /** A statement before another one, which gets braces where it must. */
  void before(Statement statement, String inserted) {
    int start = statement.start();
    embrace(statement);
    if (source.startsLine(start)) {
      int line = source.lineOf(start);
      place(source.lineStart(line)).opening.add(source.indent(line) + inserted + "\n");
    } else {
      place(start).opening.add(inserted + " ");
    }
  }

  /** A statement behind another one. */
  void after(Statement statement, String inserted) {
    embrace(statement);
    int start = statement.start();
    int end = statement.end();
    if (source.startsLine(start) && source.endsLine(end)) {
      String indent = source.indent(source.lineOf(start));
      place(source.lineEnd(source.lineOf(end))).closing.add("\n" + indent + inserted);
    } else {
      place(end).closing.add(" " + inserted);
    }
  }

  private void embrace(Statement statement) {
    if (!statement.isBareBody()) {
      return;
    }
    int start = statement.start();
    int end = statement.end();
    boolean own = source.startsLine(start) && source.endsLine(end);
    String indent = source.indent(source.lineOf(start));
    Place open = place(own ? source.lineStart(source.lineOf(start)) : start);
    open.opens = true;
    open.openingBrace = own ? indent + "{\n" : "{ ";
    Place close = place(own ? source.lineEnd(source.lineOf(end)) : end);
    close.closes = true;
    close.closingBrace = own ? "\n" + indent + "}" : " }";
  }

  /** Something inside an expression, before a place. */
  void inside(int offset, String inserted) {
    place(offset).opening.add(inserted);
  }

  /** Something directly before an expression, behind all that is put before its statement. */
  void directlyBefore(int offset, String inserted) {
    place(offset).wrapping.add(inserted);
  }

  /**
   * An expression becomes the argument of a macro, with further arguments or none behind it; and
   * what it became so before, with it.
   */
  void wrap(int from, int to, String macro, String further) {
    if (place(to).closing.add(further + ")")) {
      place(from).wrapping.add(0, macro + "(");
    }
  }

  /** Something inside an expression, behind a place. */
  void behind(int offset, String inserted) {
    place(offset).closing.add(inserted);
  }

  /** The new lines in place of each line that changes. */
  Map<Integer, List<String>> byLine() {
    Map<Integer, StringBuilder> changed = new HashMap<>();
    Map<Integer, Integer> grown = new HashMap<>();
    places.forEach(
        (offset, place) -> {
          int line = source.lineOf(offset);
          String text = place.text();
          int shift = grown.getOrDefault(line, 0);
          changed
              .computeIfAbsent(line, l -> new StringBuilder(source.line(l)))
              .insert(offset - source.lineStart(line) + shift, text);
          grown.put(line, shift + text.length());
        });
    Map<Integer, List<String>> lines = new HashMap<>();
    changed.forEach(
        (line, text) -> lines.put(line, new ArrayList<>(List.of(text.toString().split("\n", -1)))));
    return lines;
  }
}
