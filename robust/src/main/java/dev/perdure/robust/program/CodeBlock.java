package dev.perdure.robust.program;

import java.util.List;

/** A basic block: its phis, its steps, and the blocks that may follow, by index. */
public record CodeBlock(List<Phi> phis, List<Step> steps, List<Integer> successors) {
  public CodeBlock {
    phis = List.copyOf(phis);
    steps = List.copyOf(steps);
    successors = List.copyOf(successors);
  }
}
