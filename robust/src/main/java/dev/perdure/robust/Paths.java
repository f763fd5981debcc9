package dev.perdure.robust;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.SiteTable;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.repair.Reasons;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The shortest way from one step of a function to another, in lines. */
record Paths(Program program, SiteTable sites, Reasons steps) {
  private static final int MOST_LINES = 12;

  /** Empty if the first step stands in another function. */
  Optional<String> between(int routineIndex, int from, int to) {
    Routine routine = program.routines().get(routineIndex);
    if (steps.routine(from) != routine || steps.routine(to) != routine) {
      return Optional.empty();
    }
    List<Integer> blocks = blocksBetween(routine, steps.block(from), steps.block(to), from < to);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      for (Step step : routine.blocks().get(blocks.get(i)).steps()) {
        boolean before = i == 0 && step.id() < from;
        boolean behind = i == blocks.size() - 1 && step.id() > to;
        if (!before && !behind) {
          Frame frame = sites.sites().get(program.site(step.id())).innermost();
          String line = frame.fileName() + ":" + frame.line();
          if (lines.isEmpty() || !lines.get(lines.size() - 1).equals(line)) {
            lines.add(line);
          }
        }
      }
    }
    if (lines.size() > MOST_LINES) {
      lines.subList(MOST_LINES / 2, lines.size() - MOST_LINES / 2).clear();
      lines.add(MOST_LINES / 2, "…");
    }
    return lines.isEmpty() ? Optional.empty() : Optional.of(String.join(" → ", lines));
  }

  private static List<Integer> blocksBetween(Routine routine, int start, int end, boolean forward) {
    if (start == end && forward) {
      return List.of(start);
    }
    Map<Integer, Integer> cameFrom = new HashMap<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty() && !cameFrom.containsKey(end)) {
      int block = open.poll();
      for (int next : routine.blocks().get(block).successors()) {
        if (cameFrom.putIfAbsent(next, block) == null) {
          open.add(next);
        }
      }
    }
    List<Integer> path = new ArrayList<>(List.of(end));
    Integer at = cameFrom.get(end);
    while (at != null && at != start && path.size() <= routine.blocks().size()) {
      path.add(at);
      at = cameFrom.get(at);
    }
    path.add(start);
    Collections.reverse(path);
    return path;
  }
}
