package dev.perdure.flow.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DominanceTest {
  private static final int GRAPHS = 3000;

  @Test
  void shouldAgreeWithPathsOnDominance() {
    Random random = new Random(1);
    for (int i = 0; i < GRAPHS; i++) {
      FlowGraph graph = RandomGraphs.next(random, 9);
      Dominators dominators = Dominators.of(graph);
      Set<Integer> reachable = reachable(graph, 0, -1);
      for (int a = 0; a < graph.size(); a++) {
        Set<Integer> without = a == 0 ? Set.of() : reachable(graph, 0, a);
        for (int b = 0; b < graph.size(); b++) {
          boolean expected =
              a == b || reachable.contains(b) && reachable.contains(a) && !without.contains(b);
          assertThat(dominators.dominates(a, b))
              .as("graph %d: %d dom %d", i, a, b)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void shouldAgreeWithPathsOnPostDominance() {
    Random random = new Random(2);
    for (int i = 0; i < GRAPHS; i++) {
      FlowGraph graph = RandomGraphs.next(random, 9);
      PostDominators postDominators = PostDominators.of(graph);
      for (int b = 0; b < graph.size(); b++) {
        for (int a = 0; a < graph.size(); a++) {
          assertThat(postDominators.postDominates(a, b))
              .as("graph %d: %d pdom %d", i, a, b)
              .isEqualTo(!leadsToEnd(graph, b, a));
        }
      }
    }
  }

  private static boolean leadsToEnd(FlowGraph graph, int from, int without) {
    return reachable(graph, from, without).stream()
        .anyMatch(block -> graph.successors(block).length == 0);
  }

  private static Set<Integer> reachable(FlowGraph graph, int from, int without) {
    Set<Integer> reached = new HashSet<>();
    Deque<Integer> work = new ArrayDeque<>();
    if (from != without) {
      reached.add(from);
      work.add(from);
    }
    while (!work.isEmpty()) {
      for (int successor : graph.successors(work.remove())) {
        if (successor != without && reached.add(successor)) {
          work.add(successor);
        }
      }
    }
    return reached;
  }
}
