package dev.perdure.flow.graph;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which blocks lie on all paths from a block to the end of the function. A function ends at the
 * blocks without successors. A block that leads to no end, for it leads into an endless loop, has
 * no such path, so that every block lies on all of them.
 */
public final class PostDominators {
  private final DominatorTree tree;
  private final DepthFirst leadingToEnd;

  private PostDominators(DominatorTree tree, DepthFirst leadingToEnd) {
    this.tree = tree;
    this.leadingToEnd = leadingToEnd;
  }

  public static PostDominators of(FlowGraph graph) {
    int end = graph.size();
    int[][] forward = Arrays.copyOf(graph.successors(), end + 1);
    int[][] backward = Arrays.copyOf(graph.predecessors(), end + 1);
    forward[end] = new int[0];
    backward[end] = IntStream.range(0, end).filter(b -> forward[b].length == 0).toArray();
    for (int last : backward[end]) {
      forward[last] = new int[] {end};
    }
    DepthFirst leadingToEnd = new DepthFirst(backward);
    leadingToEnd.from(end);
    return new PostDominators(new DominatorTree(end, backward, forward), leadingToEnd);
  }

  /** Whether all paths from {@code b} to the end go through {@code a}; a block does so itself. */
  public boolean postDominates(int a, int b) {
    return !leadingToEnd.hasReached(b) || tree.dominates(a, b);
  }
}
