package dev.perdure.llvm.region;

import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.flow.region.Code;
import dev.perdure.flow.region.Place;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A function as the search for region starts sees it. */
final class FunctionCode implements Code<Extent> {
  private final List<List<Instruction>> blocks = new ArrayList<>();
  private final List<BitSet> acquires = new ArrayList<>();
  private final FlowGraph graph;

  FunctionCode(Function function, Acquires acquires) {
    List<Block> all = function.blocks();
    Map<Block, Integer> numbers = new HashMap<>();
    for (Block block : all) {
      numbers.put(block, numbers.size());
    }
    int[][] successors = new int[all.size()][];
    for (Block block : all) {
      List<Instruction> instructions = block.instructions();
      BitSet bits = new BitSet();
      for (int i = 0; i < instructions.size(); i++) {
        bits.set(i, acquires.at(instructions.get(i)));
      }
      successors[blocks.size()] = block.successors().stream().mapToInt(numbers::get).toArray();
      blocks.add(instructions);
      this.acquires.add(bits);
    }
    graph = FlowGraph.of(successors);
  }

  FlowGraph graph() {
    return graph;
  }

  int blockCount() {
    return blocks.size();
  }

  /** The instructions of a block from an index on. */
  List<Instruction> from(Place place) {
    List<Instruction> block = blocks.get(place.block());
    return block.subList(place.index(), block.size());
  }

  @Override
  public int length(int block) {
    return blocks.get(block).size();
  }

  @Override
  public boolean acquires(int block, int index) {
    return acquires.get(block).get(index);
  }

  @Override
  public Optional<Extent> before(int block, int index, Extent extent) {
    return extent.made().isEmpty() || !extent.made().contains(blocks.get(block).get(index))
        ? Optional.of(extent)
        : Optional.empty();
  }
}
