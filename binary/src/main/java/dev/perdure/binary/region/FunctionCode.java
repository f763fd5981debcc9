package dev.perdure.binary.region;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.FunctionBlocks;
import dev.perdure.binary.sum.RegisterAssignment;
import dev.perdure.binary.sum.RegisterSum;
import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.flow.region.Code;
import dev.perdure.flow.region.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A function as the search for region starts sees it; an address comes with a length, if any. */
final class FunctionCode implements Code<List<RegisterSum>> {
  /** rax, rcx, rdx, rsi, rdi, r8 to r11. */
  private static final int CHANGED_BY_CALLS = 0x0fc7;

  private final Function function;
  private final FunctionBlocks blocks;
  private final Acquires acquires;
  private final Predicate<RegisterSum> usable;

  /**
   * @param usable whether an address that is computed in such a way can be used
   */
  FunctionCode(
      Function function, FunctionBlocks blocks, Acquires acquires, Predicate<RegisterSum> usable) {
    this.usable = usable;
    this.function = function;
    this.blocks = blocks;
    this.acquires = acquires;
  }

  FlowGraph graph() {
    return blocks.graph();
  }

  long start() {
    return function.start();
  }

  long end() {
    return function.end();
  }

  Instruction at(Place place) {
    return function.code().get(index(place));
  }

  /** The index of an instruction in the function's code. */
  int index(Place place) {
    return blocks.start(place.block()) + place.index();
  }

  /** Whether a call, a flush, a fence or a jump lies between a start and its access. */
  boolean takesTime(Place start, Place access) {
    if (start.block() != access.block() || start.index() > access.index()) {
      return true;
    }
    for (int i = start.index(); i < access.index(); i++) {
      Instruction between = at(new Place(start.block(), i));
      if (between.operation().calls()
          || between.operation().flush()
          || between.operation().fence()) {
        return true;
      }
    }
    return false;
  }

  /** The places of all instructions that something leads to. */
  List<Place> places() {
    List<Place> all = new ArrayList<>();
    for (int block = 0; block < blocks.count(); block++) {
      for (int i = 0; blocks.isReached(block) && i < blocks.length(block); i++) {
        all.add(new Place(block, i));
      }
    }
    return all;
  }

  @Override
  public int length(int block) {
    return blocks.length(block);
  }

  @Override
  public boolean acquires(int block, int index) {
    return acquires.at(at(new Place(block, index)));
  }

  @Override
  public Optional<List<RegisterSum>> before(int block, int index, List<RegisterSum> extent) {
    Instruction i = at(new Place(block, index));
    int changes = changes(i);
    List<RegisterSum> earlier = new ArrayList<>();
    for (RegisterSum sum : extent) {
      Optional<RegisterSum> before = RegisterAssignment.before(i, changes, sum);
      if (before.isEmpty() || !usable.test(before.get())) {
        return Optional.empty();
      }
      earlier.add(before.get());
    }
    return Optional.of(earlier);
  }

  private static int changes(Instruction i) {
    return i.operation().calls() ? CHANGED_BY_CALLS : i.changes();
  }
}
