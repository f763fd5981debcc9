package dev.perdure.llvm.instrument;

import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The blocks of a function by number, and the edges between them.
 *
 * @param blocks the instructions of each block
 */
record BlockGraph(List<List<Instruction>> blocks, FlowGraph edges) {
  static BlockGraph of(Function function) {
    List<Block> blocks = function.blocks();
    Map<Block, Integer> numbers = new HashMap<>();
    blocks.forEach(block -> numbers.put(block, numbers.size()));
    FlowGraph edges =
        FlowGraph.of(
            blocks.stream()
                .map(b -> b.successors().stream().mapToInt(numbers::get).toArray())
                .toArray(int[][]::new));
    return new BlockGraph(blocks.stream().map(Block::instructions).toList(), edges);
  }
}
