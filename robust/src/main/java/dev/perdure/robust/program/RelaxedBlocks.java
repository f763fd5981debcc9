package dev.perdure.robust.program;

import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Call;
import dev.perdure.llvm.ir.DebugLocation;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The instructions of one function that stand between PERDURE_RELAXED_BEGIN and END, lexically:
 * functions that are called or were inlined there are not included.
 */
final class RelaxedBlocks {
  private final Set<Instruction> inside = new HashSet<>();

  RelaxedBlocks(Function function) {
    if (!hasMarks(function)) {
      return;
    }
    Map<Block, Optional<DebugLocation>> entries = new HashMap<>();
    Deque<Block> open = new ArrayDeque<>();
    Block first = function.blocks().get(0);
    entries.put(first, Optional.empty());
    open.push(first);
    while (!open.isEmpty()) {
      Block block = open.pop();
      Optional<DebugLocation> after = walk(block, entries.get(block));
      int taken = Marks.takenBranch(block.terminator());
      for (int i = 0; i < block.successors().size(); i++) {
        Block next = block.successors().get(i);
        if ((taken < 0 || taken == i) && !entries.containsKey(next)) {
          entries.put(next, after);
          open.push(next);
        }
      }
    }
  }

  boolean contain(Instruction instruction) {
    return inside.contains(instruction);
  }

  private static boolean hasMarks(Function function) {
    return function.blocks().stream()
        .flatMap(block -> block.instructions().stream())
        .filter(instruction -> instruction.opcode() == Opcode.CALL)
        .map(Instruction::asCall)
        .anyMatch(call -> Marks.of(call).filter(k -> k == Marks.Kind.RELAXED_BEGIN).isPresent());
  }

  private Optional<DebugLocation> walk(Block block, Optional<DebugLocation> entry) {
    Optional<DebugLocation> begin = entry;
    for (Instruction instruction : block.instructions()) {
      if (instruction.opcode() == Opcode.CALL) {
        Call call = instruction.asCall();
        Optional<Marks.Kind> kind = Marks.of(call);
        if (kind.isPresent() && kind.get() == Marks.Kind.RELAXED_BEGIN) {
          begin = call.debugLocation();
        } else if (kind.isPresent() && kind.get() == Marks.Kind.RELAXED_END) {
          begin = Optional.empty();
        }
      }
      Optional<DebugLocation> own = instruction.debugLocation();
      if (begin.isPresent() && own.isPresent() && begin.get().sharesInstanceWith(own.get())) {
        inside.add(instruction);
      }
    }
    return begin;
  }
}
