package dev.perdure.flow.graph;

/** Which blocks lie on all paths from the beginning of the function to a block. */
public final class Dominators {
  private final DominatorTree tree;

  private Dominators(DominatorTree tree) {
    this.tree = tree;
  }

  public static Dominators of(FlowGraph graph) {
    return new Dominators(new DominatorTree(0, graph.successors(), graph.predecessors()));
  }

  /**
   * Whether all paths from the beginning to {@code b} go through {@code a}. A block dominates
   * itself; one that cannot be reached is dominated by nothing else.
   */
  public boolean dominates(int a, int b) {
    return tree.dominates(a, b);
  }
}
