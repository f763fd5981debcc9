package dev.perdure.flow.graph;

import java.util.Arrays;

/** The basic blocks of a function and the edges between them. Block 0 is where it begins. */
public final class FlowGraph {
  private final int[][] successors;
  private final int[][] predecessors;

  private FlowGraph(int[][] successors) {
    this.successors = successors;
    this.predecessors = reversed(successors);
  }

  /** A graph by the successors of each block; edges that are named twice count once. */
  public static FlowGraph of(int[][] successors) {
    int[][] distinct = new int[successors.length][];
    for (int block = 0; block < successors.length; block++) {
      distinct[block] = Arrays.stream(successors[block]).distinct().toArray();
    }
    return new FlowGraph(distinct);
  }

  private static int[][] reversed(int[][] edges) {
    int[] counts = new int[edges.length];
    for (int[] targets : edges) {
      for (int target : targets) {
        counts[target]++;
      }
    }
    int[][] result = new int[edges.length][];
    for (int block = 0; block < edges.length; block++) {
      result[block] = new int[counts[block]];
    }
    for (int block = 0; block < edges.length; block++) {
      for (int target : edges[block]) {
        result[target][--counts[target]] = block;
      }
    }
    return result;
  }

  public int size() {
    return successors.length;
  }

  /**
   * The blocks that can be reached, each before those behind it as far as there are no loops: the
   * order in which a forward analysis sees most at the first pass.
   */
  public int[] reversePostorder() {
    DepthFirst walk = new DepthFirst(successors);
    walk.from(0);
    int[] order = walk.postorder();
    for (int i = 0, k = order.length - 1; i < k; i++, k--) {
      int left = order[i];
      order[i] = order[k];
      order[k] = left;
    }
    return order;
  }

  public int[] successors(int block) {
    return successors[block].clone();
  }

  public int[] predecessors(int block) {
    return predecessors[block].clone();
  }

  int[][] successors() {
    return successors;
  }

  int[][] predecessors() {
    return predecessors;
  }
}
