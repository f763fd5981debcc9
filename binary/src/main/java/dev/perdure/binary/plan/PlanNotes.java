package dev.perdure.binary.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The text at the end of a plan: counts, {@code name=number}, and gaps, {@code gap address what}.
 */
record PlanNotes(Map<String, Integer> coverage, List<Gap> gaps) {
  private static final String GAP = "gap ";

  static PlanNotes of(Plan plan) {
    return new PlanNotes(plan.coverage(), plan.gaps());
  }

  byte[] toBytes() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(coverage).forEach((k, v) -> text.append(k).append('=').append(v).append('\n'));
    for (Gap g : gaps) {
      text.append(GAP).append(Long.toHexString(g.address())).append(' ').append(g.what());
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static PlanNotes parse(byte[] bytes) {
    Map<String, Integer> counts = new TreeMap<>();
    List<Gap> gaps = new ArrayList<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
      int equals = line.indexOf('=');
      if (line.startsWith(GAP)) {
        String[] words = line.split(" ", 3);
        gaps.add(new Gap(Long.parseLong(words[1], 16), words[2]));
      } else if (equals > 0) {
        counts.put(line.substring(0, equals), Integer.valueOf(line.substring(equals + 1)));
      }
    }
    return new PlanNotes(counts, List.copyOf(gaps));
  }
}
