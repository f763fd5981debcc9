package dev.perdure.flow.region;

import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.flow.graph.RandomGraphs;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

/**
 * A function of a machine with three registers. Addresses are a register and a distance; the code
 * copies and adds, loads values that nobody can foresee, and acquires.
 */
final class Machine implements Code<Machine.Address> {
  static final int REGISTERS = 3;

  record Address(int register, int distance) {}

  enum Kind {
    NOTHING,
    ADD,
    LOAD,
    ACQUIRE
  }

  record Instruction(Kind kind, int target, int source, int distance) {}

  final FlowGraph graph;
  private final Instruction[][] blocks;

  private Machine(FlowGraph graph, Instruction[][] blocks) {
    this.graph = graph;
    this.blocks = blocks;
  }

  static Machine random(Random random, int mostBlocks, boolean movesAddresses) {
    FlowGraph graph = RandomGraphs.next(random, mostBlocks);
    Instruction[][] blocks = new Instruction[graph.size()][];
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] = new Instruction[1 + random.nextInt(3)];
      Arrays.setAll(blocks[block], i -> instruction(random, movesAddresses));
    }
    return new Machine(graph, blocks);
  }

  private static Instruction instruction(Random random, boolean movesAddresses) {
    int dice = random.nextInt(12);
    Kind kind =
        dice == 0
            ? Kind.ACQUIRE
            : dice == 1 && movesAddresses
                ? Kind.LOAD
                : dice <= 3 && movesAddresses ? Kind.ADD : Kind.NOTHING;
    return new Instruction(
        kind, random.nextInt(REGISTERS), random.nextInt(REGISTERS), random.nextInt(2));
  }

  Instruction at(Place place) {
    return blocks[place.block()][place.index()];
  }

  @Override
  public int length(int block) {
    return blocks[block].length;
  }

  @Override
  public boolean acquires(int block, int index) {
    return blocks[block][index].kind() == Kind.ACQUIRE;
  }

  @Override
  public Optional<Address> before(int block, int index, Address address) {
    Instruction instruction = blocks[block][index];
    boolean writes = instruction.kind() == Kind.ADD || instruction.kind() == Kind.LOAD;
    if (!writes || instruction.target() != address.register()) {
      return Optional.of(address);
    }
    return instruction.kind() == Kind.LOAD
        ? Optional.empty()
        : Optional.of(
            new Address(instruction.source(), address.distance() + instruction.distance()));
  }
}
