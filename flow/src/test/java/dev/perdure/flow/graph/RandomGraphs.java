package dev.perdure.flow.graph;

import java.util.Random;

/** Small graphs of all shapes: loops, endless ones too, blocks that nothing leads to. */
public final class RandomGraphs {
  private RandomGraphs() {}

  public static FlowGraph next(Random random, int most) {
    int size = 1 + random.nextInt(most);
    int[][] successors = new int[size][];
    for (int block = 0; block < size; block++) {
      successors[block] = new int[random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2)];
      for (int i = 0; i < successors[block].length; i++) {
        boolean onwards = block + 1 < size && random.nextInt(4) != 0;
        successors[block][i] =
            onwards
                ? block + 1 + random.nextInt(Math.min(3, size - block - 1))
                : random.nextInt(size);
      }
    }
    return FlowGraph.of(successors);
  }
}
