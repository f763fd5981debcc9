package dev.perdure.robust.pm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which values may hold the same pointer, asked for one value at a time: the demand-driven
 * CFL-reachability of Zheng and Rugina (POPL 2008). A path between two aliases goes back along
 * assignments to a common source and forward again; it passes through memory wherever a load and a
 * store, or two loads, go through pointers that are aliases themselves.
 *
 * <p>Questions about memory on the way are further questions. All questions that have been asked
 * are answered together, again and again until no answer grows; answers only grow and are sets of
 * values of one program, so this ends. A program that needs more than {@link #MOST_WORK} steps gets
 * no answer, which callers must take as <em>anything</em>.
 */
final class ValueAliases {
  private static final long MOST_WORK = 20_000_000;

  private final PointerGraph graph;
  private final Map<Integer, Set<Integer>> answers = new LinkedHashMap<>();
  private final Map<Integer, Boolean> settled = new HashMap<>();
  private long work;

  ValueAliases(PointerGraph graph) {
    this.graph = graph;
  }

  /** The aliases of a pointer, itself included; empty if the program is too large to tell. */
  Optional<Set<Integer>> of(int pointer) {
    if (work > MOST_WORK) {
      return Optional.empty();
    }
    answer(pointer);
    while (!settled.getOrDefault(pointer, false) && work <= MOST_WORK) {
      settle();
    }
    return work > MOST_WORK ? Optional.empty() : Optional.of(answers.get(pointer));
  }

  /** One round over all open questions. */
  private void settle() {
    boolean grew = false;
    int asked = answers.size();
    for (int pointer : Set.copyOf(answers.keySet())) {
      if (!settled.getOrDefault(pointer, false)) {
        Set<Integer> found = search(pointer);
        grew |= answers.get(pointer).addAll(found);
      }
    }
    if (!grew && answers.size() == asked) {
      answers.keySet().forEach(pointer -> settled.put(pointer, true));
    }
  }

  private Set<Integer> answer(int pointer) {
    return answers.computeIfAbsent(pointer, p -> new HashSet<>(Set.of(p)));
  }

  private Set<Integer> search(int pointer) {
    Set<Integer> sources = new HashSet<>();
    Set<Integer> loadedAlike = new HashSet<>();
    Deque<Integer> open = new ArrayDeque<>();
    push(pointer, sources, open);
    while (!open.isEmpty()) {
      int value = open.pop();
      graph.predecessors(value).forEach(p -> push(p, sources, open));
      PointerGraph.Access load = graph.loadOf(value);
      if (load != null) {
        for (int alias : Set.copyOf(answer(load.pointer()))) {
          graph.storesThrough(alias).stream()
              .filter(load::mayMeet)
              .forEach(store -> push(store.value(), sources, open));
          graph.loadsThrough(alias).stream()
              .filter(load::mayMeet)
              .forEach(other -> loadedAlike.add(other.value()));
        }
      }
    }
    Set<Integer> reached = new HashSet<>();
    sources.forEach(source -> push(source, reached, open));
    loadedAlike.forEach(value -> push(value, reached, open));
    while (!open.isEmpty()) {
      int value = open.pop();
      graph.successors(value).forEach(s -> push(s, reached, open));
      for (PointerGraph.Access store : graph.storesOf(value)) {
        for (int alias : Set.copyOf(answer(store.pointer()))) {
          graph.loadsThrough(alias).stream()
              .filter(store::mayMeet)
              .forEach(load -> push(load.value(), reached, open));
        }
      }
    }
    return reached;
  }

  private void push(int value, Set<Integer> seen, Deque<Integer> open) {
    if (work <= MOST_WORK && seen.add(value)) {
      work++;
      open.push(value);
    }
  }
}
