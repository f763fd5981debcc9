package dev.perdure.robust.pm;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Which values may hold the same pointer, by unification (Steensgaard, POPL 1996): coarser than
 * {@link ValueAliases}, but of a cost that grows with the program only. It answers where the
 * precise search has become too long.
 */
final class PointerClasses {
  private static final int NONE = -1;

  private final PointerGraph graph;
  private final Map<Integer, IntSet> members = new HashMap<>();
  private int[] parents;
  private int[] contents;
  private int size;

  PointerClasses(PointerGraph graph) {
    this.graph = graph;
    this.size = graph.size();
    this.parents = new int[2 * size + 1];
    this.contents = new int[2 * size + 1];
    Arrays.setAll(parents, i -> i);
    Arrays.fill(contents, NONE);
    for (int value = 0; value < graph.size(); value++) {
      int from = value;
      graph.successors(value).forEach(to -> join(from, to));
    }
    for (int value = 0; value < graph.size(); value++) {
      graph.loadsThrough(value).forEach(this::unify);
      graph.storesThrough(value).forEach(this::unify);
    }
    for (int value = 0; value < graph.size(); value++) {
      members.computeIfAbsent(find(value), c -> new IntSet()).add(value);
    }
  }

  /** The values that may hold the same pointer as a given one, itself included. */
  IntSet of(int pointer) {
    return members.get(find(pointer));
  }

  private void unify(PointerGraph.Access access) {
    join(contents(find(access.pointer())), access.value());
  }

  private int contents(int place) {
    if (contents[place] == NONE) {
      contents[place] = size++;
    }
    return contents[place];
  }

  private void join(int first, int second) {
    Deque<int[]> open = new ArrayDeque<>();
    open.push(new int[] {first, second});
    while (!open.isEmpty()) {
      int[] pair = open.pop();
      int a = find(pair[0]);
      int b = find(pair[1]);
      if (a == b) {
        continue;
      }
      parents[b] = a;
      if (contents[a] == NONE) {
        contents[a] = contents[b];
      } else if (contents[b] != NONE) {
        open.push(new int[] {contents[a], contents[b]});
      }
    }
  }

  private int find(int member) {
    int at = member;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }
}
