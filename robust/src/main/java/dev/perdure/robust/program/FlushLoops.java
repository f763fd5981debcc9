package dev.perdure.robust.program;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.ir.Value;
import dev.perdure.model.memory.CacheLine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The program's own loops that flush a range line by line:
 *
 * <pre>for (a = start &amp; -64; a &lt; start + length; a += 64) flush(a);</pre>
 *
 * Such a loop counts as one flush of the range, in the block before it. The start must be rounded
 * down to a line, or known to be aligned: otherwise the last line may be left out.
 */
final class FlushLoops {
  /**
   * A loop that flushes a range.
   *
   * @param entry the block from which it is entered
   * @param others its blocks, without that of the flush
   */
  record FlushLoop(Block entry, List<Block> others, Place range, boolean ordered) {}

  private final BitcodeModule module;
  private final Addresses addresses;
  private final Map<Block, List<Block>> predecessors = new HashMap<>();

  FlushLoops(BitcodeModule module, Addresses addresses, Collection<Block> blocks) {
    this.module = module;
    this.addresses = addresses;
    for (Block block : blocks) {
      for (Block next : block.successors()) {
        predecessors.computeIfAbsent(next, b -> new ArrayList<>()).add(block);
      }
    }
  }

  /**
   * The loop whose only effect is the flush of one line.
   *
   * @param flushed the address of the flush
   * @param at the block of the flush, which does nothing else
   */
  Optional<FlushLoop> around(Value flushed, Block at, boolean ordered) {
    Optional<Instruction> variable = phiOf(flushed);
    if (variable.isEmpty() || variable.get().incomingCount() != 2) {
      return Optional.empty();
    }
    Instruction phi = variable.get();
    Block header = phi.block();
    for (int i = 0; i < 2; i++) {
      Block entry = phi.incomingBlock(1 - i);
      Value first = phi.incoming(1 - i);
      List<Block> others = others(header, at, phi.incomingBlock(i));
      boolean loops = advances(phi.incoming(i), phi) && !others.isEmpty();
      if (loops && entry.successors().size() == 1) {
        return end(header, phi, at)
            .flatMap(end -> range(first, end))
            .map(range -> new FlushLoop(entry, others, range, ordered));
      }
    }
    return Optional.empty();
  }

  private static Optional<Instruction> phiOf(Value address) {
    Optional<Instruction> at = address.instruction();
    while (at.isPresent()
        && (at.get().opcode() == Opcode.INTEGER_TO_POINTER
            || at.get().opcode() == Opcode.POINTER_TO_INTEGER
            || at.get().opcode() == Opcode.BIT_CAST)) {
      at = at.get().operand(0).instruction();
    }
    return at.filter(i -> i.opcode() == Opcode.PHI);
  }

  /** Whether a value is the loop variable, one line or less further on. */
  private boolean advances(Value next, Instruction phi) {
    Optional<Instruction> step = next.instruction();
    if (step.isEmpty() || !step.get().operand(0).equals(phi)) {
      return false;
    }
    if (step.get().opcode() == Opcode.GET_ELEMENT_POINTER) {
      BitcodeModule.Distance distance = module.distance(next);
      return distance.variables().isEmpty() && isStep(distance.offset());
    }
    OptionalLong constant = step.get().operand(1).constantInteger();
    return step.get().isAddition() && constant.isPresent() && isStep(constant.getAsLong());
  }

  private static boolean isStep(long bytes) {
    return bytes > 0 && bytes <= CacheLine.BYTES;
  }

  private static boolean leadsTo(Block from, Block latch) {
    Block at = from;
    for (int i = 0; i < 4 && !at.equals(latch) && at.successors().size() == 1; i++) {
      at = at.successors().get(0);
    }
    return at.equals(latch);
  }

  /**
   * The header and what else lies on the one way through the block of the flush back to it; nothing
   * if the loop is more than that.
   */
  private List<Block> others(Block header, Block flush, Block latch) {
    List<Block> others = new ArrayList<>(List.of(header));
    boolean passed = false;
    Block at = latch;
    for (int i = 0; i < 4 && at.successors().size() == 1; i++) {
      if (at.equals(flush)) {
        passed = true;
      } else {
        others.add(at);
      }
      List<Block> before = predecessors.getOrDefault(at, List.of());
      if (before.size() != 1) {
        return List.of();
      }
      if (before.get(0).equals(header)) {
        return passed ? others : List.of();
      }
      at = before.get(0);
    }
    return List.of();
  }

  /** What the loop variable is compared with: the loop goes on while it is smaller. */
  private static Optional<Value> end(Block header, Instruction phi, Block body) {
    Instruction branch = header.terminator();
    if (branch.opcode() != Opcode.BRANCH || branch.isJump()) {
      return Optional.empty();
    }
    Optional<Instruction> condition =
        branch.operand(0).instruction().filter(i -> i.opcode() == Opcode.COMPARE);
    boolean inside = leadsTo(header.successors().get(0), body);
    if (condition.isEmpty() || !inside) {
      return Optional.empty();
    }
    Instruction compare = condition.get();
    if (compare.isBelow() && compare.operand(0).equals(phi)) {
      return Optional.of(compare.operand(1));
    }
    return compare.isAbove() && compare.operand(1).equals(phi)
        ? Optional.of(compare.operand(0))
        : Optional.empty();
  }

  private Optional<Place> range(Value first, Value end) {
    Optional<Value> rounded = rounded(first);
    Value start = pointer(rounded.orElse(first));
    if (!start.type().isPointer()) {
      return Optional.empty();
    }
    Optional<Extent> extent = distance(start, end);
    if (extent.isEmpty()) {
      return Optional.empty();
    }
    Place range = addresses.place(start, extent.get());
    boolean aligned =
        range.alignment() >= CacheLine.BYTES
            && range.location().isConstant()
            && range.location().offset() % CacheLine.BYTES == 0;
    return rounded.isPresent() || aligned ? Optional.of(range) : Optional.empty();
  }

  /** What a value is before it is rounded down to a line, or to more. */
  private static Optional<Value> rounded(Value value) {
    Optional<Instruction> at = value.instruction();
    while (at.isPresent() && at.get().opcode() == Opcode.INTEGER_TO_POINTER) {
      at = at.get().operand(0).instruction();
    }
    return at.filter(Instruction::isBitwiseAnd)
        .filter(
            and -> {
              long mask = and.operand(1).constantInteger().orElse(0);
              return mask < 0 && -mask >= CacheLine.BYTES && Long.bitCount(-mask) == 1;
            })
        .map(and -> and.operand(0));
  }

  private static Value pointer(Value value) {
    Value at = value;
    while (at.instruction().filter(i -> i.opcode() == Opcode.POINTER_TO_INTEGER).isPresent()) {
      at = at.operand(0);
    }
    return at;
  }

  private Optional<Extent> distance(Value start, Value end) {
    Optional<Instruction> sum = end.instruction().filter(Instruction::isAddition);
    if (sum.isPresent()) {
      for (int i = 0; i < 2; i++) {
        if (pointer(sum.get().operand(i)).equals(start)) {
          return Optional.of(addresses.extent(sum.get().operand(1 - i), 1));
        }
      }
      return Optional.empty();
    }
    Value last = pointer(end);
    if (!last.type().isPointer()) {
      return Optional.empty();
    }
    Location from = addresses.location(start);
    Location to = addresses.location(last);
    if (from.base() == to.base() && from.terms().equals(to.terms())) {
      return Optional.of(Extent.of(to.offset() - from.offset()));
    }
    boolean oneMore =
        from.base() == to.base()
            && from.terms().isEmpty()
            && to.terms().size() == 1
            && from.offset() == to.offset();
    return oneMore
        ? Optional.of(Extent.held(to.terms().get(0).value(), to.terms().get(0).bytes()))
        : Optional.empty();
  }
}
