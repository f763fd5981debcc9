package dev.perdure.flow.graph;

import java.util.Arrays;

/**
 * Who dominates whom, by the iterative algorithm of Cooper, Harvey and Kennedy. A node that the
 * root does not reach is dominated by itself only.
 */
final class DominatorTree {
  private static final int NONE = -1;

  private final int[] parent;
  private final int[] number;
  private final int[] depth;

  DominatorTree(int root, int[][] edges, int[][] reversed) {
    int size = edges.length;
    parent = new int[size];
    number = new int[size];
    depth = new int[size];
    Arrays.fill(parent, NONE);
    Arrays.fill(number, NONE);
    DepthFirst walk = new DepthFirst(edges);
    walk.from(root);
    int[] postorder = walk.postorder();
    for (int i = 0; i < postorder.length; i++) {
      number[postorder[i]] = i;
    }
    parent[root] = root;
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = postorder.length - 2; i >= 0; i--) {
        changed |= improve(postorder[i], reversed[postorder[i]]);
      }
    }
    for (int i = postorder.length - 2; i >= 0; i--) {
      depth[postorder[i]] = depth[parent[postorder[i]]] + 1;
    }
  }

  private boolean improve(int node, int[] sources) {
    int common = NONE;
    for (int source : sources) {
      if (number[source] != NONE && parent[source] != NONE) {
        common = common == NONE ? source : meet(common, source);
      }
    }
    boolean changed = parent[node] != common;
    parent[node] = common;
    return changed;
  }

  private int meet(int a, int b) {
    int x = a;
    int y = b;
    while (x != y) {
      while (number[x] < number[y]) {
        x = parent[x];
      }
      while (number[y] < number[x]) {
        y = parent[y];
      }
    }
    return x;
  }

  boolean dominates(int a, int b) {
    if (a == b) {
      return true;
    }
    if (parent[a] == NONE || parent[b] == NONE) {
      return false;
    }
    int node = b;
    while (depth[node] > depth[a]) {
      node = parent[node];
    }
    return node == a;
  }
}
