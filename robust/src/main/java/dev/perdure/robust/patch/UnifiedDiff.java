package dev.perdure.robust.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The differences of one file in the form that {@code patch} reads. */
final class UnifiedDiff {
  private static final int CONTEXT = 3;

  private final List<String> lines;
  private final TreeMap<Integer, List<String>> replacements;

  /**
   * @param replacements by line, from 1: the lines that take its place
   */
  UnifiedDiff(List<String> lines, Map<Integer, List<String>> replacements) {
    this.lines = List.copyOf(lines);
    this.replacements = new TreeMap<>(replacements);
  }

  String of(String file) {
    StringBuilder text = new StringBuilder("--- " + file + "\n+++ " + file + "\n");
    int shift = 0;
    List<Integer> group = new ArrayList<>();
    for (int line : replacements.keySet()) {
      if (!group.isEmpty() && line - group.get(group.size() - 1) > 2 * CONTEXT + 1) {
        shift += hunk(group, shift, text);
        group.clear();
      }
      group.add(line);
    }
    if (!group.isEmpty()) {
      hunk(group, shift, text);
    }
    return text.toString();
  }

  /** Writes one hunk and returns by how many lines the file has grown in it. */
  private int hunk(List<Integer> changed, int shift, StringBuilder text) {
    int first = Math.max(1, changed.get(0) - CONTEXT);
    int last = Math.min(lines.size(), changed.get(changed.size() - 1) + CONTEXT);
    List<String> body = new ArrayList<>();
    int grown = 0;
    for (int n = first; n <= last; n++) {
      String old = lines.get(n - 1);
      List<String> fresh = replacements.get(n);
      if (fresh == null) {
        body.add(" " + old);
        continue;
      }
      int kept = fresh.indexOf(old);
      if (kept < 0) {
        body.add("-" + old);
      }
      for (int i = 0; i < fresh.size(); i++) {
        body.add((i == kept ? " " : "+") + fresh.get(i));
      }
      grown += fresh.size() - 1;
    }
    int length = last - first + 1;
    text.append("@@ -%d,%d +%d,%d @@%n".formatted(first, length, first + shift, length + grown));
    body.forEach(line -> text.append(line).append('\n'));
    return grown;
  }
}
