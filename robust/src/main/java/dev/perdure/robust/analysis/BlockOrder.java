package dev.perdure.robust.analysis;

import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.robust.program.Routine;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The order in which a forward analysis goes through the blocks of a function. */
final class BlockOrder {
  private final FlowGraph graph;
  private final int[] blocks;
  private final int[] ranks;

  BlockOrder(Routine routine) {
    this.graph =
        FlowGraph.of(
            routine.blocks().stream()
                .map(block -> block.successors().stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new));
    this.blocks = graph.reversePostorder();
    this.ranks = new int[graph.size()];
    Arrays.fill(ranks, -1);
    for (int rank = 0; rank < blocks.length; rank++) {
      ranks[blocks[rank]] = rank;
    }
  }

  int rank(int block) {
    return ranks[block];
  }

  int block(int rank) {
    return blocks[rank];
  }

  IntStream predecessors(int block) {
    return Arrays.stream(graph.predecessors(block));
  }
}
