package dev.perdure.robust.patch;

import dev.perdure.model.code.Frame;
import dev.perdure.model.repair.Insertion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A repair as a patch of the sources. A flush stands behind its store, a fence before what it
 * precedes; where the text of a line does not tell what it stores to, a comment marks the place
 * instead, and the patch says so.
 */
public final class SourcePatch {
  private static final String INCLUDE = "#include <perdure_flush.h>";

  private final Path folder;

  /**
   * @param folder where relative paths start
   */
  public SourcePatch(Path folder) {
    this.folder = folder;
  }

  /** The patch, to be applied with {@code patch -p0}; empty if there is nothing to insert. */
  public String of(List<Insertion> insertions) throws IOException {
    Map<String, Map<Integer, Set<Insertion.Kind>>> files = new TreeMap<>();
    for (Insertion insertion : insertions) {
      Frame frame = insertion.site().innermost();
      if (!frame.file().isEmpty() && frame.line() > 0) {
        files
            .computeIfAbsent(frame.file(), f -> new TreeMap<>())
            .computeIfAbsent(frame.line(), l -> new TreeSet<>())
            .add(insertion.kind());
      }
    }
    StringBuilder text = new StringBuilder();
    for (var file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (Files.isReadable(path)) {
        List<String> lines = Files.readAllLines(path);
        text.append(new UnifiedDiff(lines, edits(lines, file.getValue())).of(file.getKey()));
      }
    }
    return text.toString();
  }

  private static Map<Integer, List<String>> edits(
      List<String> lines, Map<Integer, Set<Insertion.Kind>> wanted) {
    Map<Integer, List<String>> edits = new HashMap<>();
    wanted.forEach(
        (number, kinds) -> {
          if (number <= lines.size()) {
            edits.put(number, edited(lines, number, kinds));
          }
        });
    int first = 1;
    while (first < lines.size() && !lines.get(first - 1).startsWith("#include")) {
      first++;
    }
    boolean hasIncludes = first < lines.size();
    int place = hasIncludes ? first : 1;
    List<String> top = new ArrayList<>(edits.getOrDefault(place, List.of(lines.get(place - 1))));
    top.add(0, INCLUDE);
    edits.put(place, top);
    return edits;
  }

  private static List<String> edited(List<String> lines, int number, Set<Insertion.Kind> kinds) {
    Statement statement = new Statement(lines.get(number - 1));
    List<String> result = new ArrayList<>();
    String line = statement.line();
    String indent = statement.indent();
    if (kinds.contains(Insertion.Kind.FENCE)) {
      String closing = line.strip().startsWith("}") ? "  " : "";
      result.add(indent + closing + "perdure_fence();");
    }
    boolean body = isBodyWithoutBraces(lines, number);
    if (!kinds.contains(Insertion.Kind.FLUSH)) {
      result.add(line);
    } else {
      flushed(statement, result);
    }
    if (body && result.size() > 1) {
      result.add(0, indent + "{");
      result.add(indent + "}");
    }
    return result;
  }

  private static void flushed(Statement statement, List<String> result) {
    Optional<String> flush = statement.flush();
    String line = statement.line();
    if (flush.isPresent() && statement.isPlain()) {
      result.add(line);
      result.add(statement.indent() + flush.get() + ";");
    } else if (flush.isPresent() && statement.code().endsWith(";")) {
      // Inside a one-line loop or branch, the flush becomes part of the same statement.
      String code = statement.code();
      String comment = line.substring(Math.min(line.length(), code.length()));
      result.add(code.substring(0, code.length() - 1) + ", " + flush.get() + ";" + comment);
    } else {
      result.add(line);
      result.add(statement.indent() + "/* perdure: flush here what the line above stores to */");
    }
  }

  /** Whether the line is the only statement of an if, else or loop on the line before. */
  private static boolean isBodyWithoutBraces(List<String> lines, int number) {
    String before = number < 2 ? "" : new Statement(lines.get(number - 2)).code().strip();
    return before.matches("(}?\\s*else|do)")
        || before.matches("(}?\\s*else\\s+)?(if|for|while)\\b.*\\)");
  }
}
