package dev.perdure.flow.graph;

import java.util.Arrays;

/** A depth-first walk along edges: which nodes it reaches, and in which order it leaves them. */
final class DepthFirst {
  private final int[][] edges;
  private final boolean[] reached;
  private final int[] postorder;
  private int left;

  DepthFirst(int[][] edges) {
    this.edges = edges;
    this.reached = new boolean[edges.length];
    this.postorder = new int[edges.length];
  }

  /** Walks on from a node, over what was not reached before. */
  void from(int root) {
    if (reached[root]) {
      return;
    }
    int[] path = new int[edges.length];
    int[] next = new int[edges.length];
    int depth = 0;
    path[0] = root;
    reached[root] = true;
    while (depth >= 0) {
      int node = path[depth];
      if (next[node] == edges[node].length) {
        postorder[left++] = node;
        depth--;
        continue;
      }
      int target = edges[node][next[node]++];
      if (!reached[target]) {
        reached[target] = true;
        path[++depth] = target;
      }
    }
  }

  boolean hasReached(int node) {
    return reached[node];
  }

  /** The nodes in the order in which the walk left them for good. */
  int[] postorder() {
    return Arrays.copyOf(postorder, left);
  }
}
