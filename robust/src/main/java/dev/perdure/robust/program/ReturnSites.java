package dev.perdure.robust.program;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Block;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Opcode;
import dev.perdure.llvm.sites.SiteCollector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of return statements. The compiler stores the result in a slot there and leaves the
 * function from a common block; the slots, and with them the lines, are gone once locals live in
 * registers, so this has to be read before.
 */
public final class ReturnSites {
  private final Map<Block, Integer> sites = new HashMap<>();

  public ReturnSites(BitcodeModule module, SiteCollector collector) {
    for (Function function : module.functions()) {
      for (Block block : function.blocks()) {
        Instruction last = block.terminator();
        if (last.opcode() == Opcode.RETURN && last.operandCount() == 1) {
          slot(last).ifPresent(slot -> read(slot, collector));
        }
      }
    }
  }

  /** The site of the return statement in a block. */
  Optional<Integer> of(Block block) {
    return Optional.ofNullable(sites.get(block));
  }

  private static Optional<Instruction> slot(Instruction end) {
    return end.operand(0)
        .instruction()
        .filter(load -> load.opcode() == Opcode.LOAD)
        .flatMap(load -> load.address().instruction())
        .filter(address -> address.opcode() == Opcode.ALLOCA);
  }

  private void read(Instruction slot, SiteCollector collector) {
    for (Instruction user : slot.users()) {
      boolean located = user.debugLocation().filter(l -> l.line() != 0).isPresent();
      if (user.opcode() == Opcode.STORE && located) {
        sites.put(user.block(), collector.siteOf(user));
      }
    }
  }
}
