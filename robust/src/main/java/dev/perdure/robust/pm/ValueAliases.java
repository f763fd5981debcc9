package dev.perdure.robust.pm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which values may hold the same pointer, asked for one value at a time: the demand-driven
 * CFL-reachability of Zheng and Rugina (POPL 2008). A path between two aliases goes back along
 * assignments to a common source and forward again; it passes through memory wherever a load and a
 * store, or two loads, go through pointers that are aliases themselves.
 *
 * <p>Questions about memory on the way are further questions. Each is asked once; whoever needs its
 * answer is told of every value that is added to it later. Answers only grow and are sets of values
 * of one program, so this ends. A program that needs more than the allowed number of steps gets no
 * answer.
 */
final class ValueAliases {
  private final PointerGraph graph;
  private final long mostWork;
  private final Map<Integer, Question> questions = new HashMap<>();
  private final Deque<Runnable> open = new ArrayDeque<>();
  private long work;

  /** The aliases of one pointer. */
  private static final class Question {
    final IntSet sources = new IntSet();
    final IntSet aliases = new IntSet();
    final List<Passage> passages = new ArrayList<>(2);
  }

  /**
   * A load or store that a search wants to pass through, waiting for aliases of its pointer.
   *
   * @param back whether the search is on its way back, from a loaded value to what was stored
   */
  private record Passage(Question search, PointerGraph.Access access, boolean back) {}

  ValueAliases(PointerGraph graph, long mostWork) {
    this.graph = graph;
    this.mostWork = mostWork;
  }

  /** The aliases of a pointer, itself included; empty if the program is too large to tell. */
  Optional<IntSet> of(int pointer) {
    if (work > mostWork) {
      return Optional.empty();
    }
    Question question = question(pointer);
    while (!open.isEmpty() && work <= mostWork) {
      open.pop().run();
    }
    return work > mostWork ? Optional.empty() : Optional.of(question.aliases);
  }

  private Question question(int pointer) {
    int origin = origin(pointer);
    Question known = questions.get(origin);
    if (known == null) {
      known = new Question();
      questions.put(origin, known);
      addSource(known, origin);
    }
    return known;
  }

  /** A value that is nothing but an assigned other one has the same aliases. */
  private int origin(int pointer) {
    int at = pointer;
    for (int steps = 0; steps < 64; steps++) {
      List<Integer> from = graph.predecessors(at);
      if (from.size() != 1 || graph.loadOf(at) != null) {
        return at;
      }
      at = from.get(0);
    }
    return at;
  }

  private void addSource(Question search, int value) {
    if (search.sources.add(value)) {
      work++;
      open.push(() -> goBack(search, value));
      addAlias(search, value);
    }
  }

  private void addAlias(Question search, int value) {
    if (search.aliases.add(value)) {
      work++;
      open.push(() -> goForward(search, value));
    }
  }

  private void goBack(Question search, int value) {
    graph.predecessors(value).forEach(source -> addSource(search, source));
    PointerGraph.Access load = graph.loadOf(value);
    if (load != null) {
      enter(new Passage(search, load, true));
    }
  }

  private void goForward(Question search, int value) {
    graph.successors(value).forEach(target -> addAlias(search, target));
    graph.storesOf(value).forEach(store -> enter(new Passage(search, store, false)));
    for (int i = 0; i < search.passages.size(); i++) {
      pass(search.passages.get(i), value);
    }
  }

  private void enter(Passage passage) {
    Question places = question(passage.access().pointer());
    places.passages.add(passage);
    for (int i = 0; i < places.aliases.size(); i++) {
      pass(passage, places.aliases.get(i));
    }
  }

  private void pass(Passage passage, int place) {
    work++;
    PointerGraph.Access access = passage.access();
    if (passage.back()) {
      for (PointerGraph.Access store : graph.storesThrough(place)) {
        if (access.mayMeet(store)) {
          addSource(passage.search(), store.value());
        }
      }
    }
    for (PointerGraph.Access load : graph.loadsThrough(place)) {
      if (access.mayMeet(load)) {
        addAlias(passage.search(), load.value());
      }
    }
  }
}
