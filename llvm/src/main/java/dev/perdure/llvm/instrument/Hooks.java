package dev.perdure.llvm.instrument;

import dev.perdure.llvm.ir.BitcodeModule;
import dev.perdure.llvm.ir.Builder;
import dev.perdure.llvm.ir.Function;
import dev.perdure.llvm.ir.Instruction;
import dev.perdure.llvm.ir.Type;
import dev.perdure.llvm.ir.Value;
import dev.perdure.llvm.sites.SiteCollector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Inserts calls of the prelude's functions where its builder stands. The last argument of every
 * hook is the local site of the instruction that the call speaks of.
 */
public final class Hooks {
  private final BitcodeModule module;
  private final Prelude prelude;
  private final SiteCollector sites;
  private final Builder builder;
  private final Set<Value> declared;

  Hooks(BitcodeModule module, Prelude prelude, SiteCollector sites, Builder builder) {
    this.module = module;
    this.prelude = prelude;
    this.sites = sites;
    this.builder = builder;
    this.declared = DeclaredMemory.of(module);
  }

  /** Variables that the program declares to be persistent memory. */
  public Set<Value> declared() {
    return declared;
  }

  public Builder builder() {
    return builder;
  }

  public BitcodeModule module() {
    return module;
  }

  public Builder before(Instruction place) {
    return builder.before(place);
  }

  public Builder after(Instruction place) {
    return builder.after(place);
  }

  /** Calls a function of the prelude, without a site. */
  public Instruction call(String name, Value... arguments) {
    return builder.call(prelude.function(name), arguments);
  }

  /** Calls a function of the prelude for an instruction. */
  public Instruction event(String name, Instruction instruction, Value... arguments) {
    return event(prelude.function(name), instruction, arguments);
  }

  /** The local site of an instruction. */
  int site(Instruction instruction) {
    return sites.siteOf(instruction);
  }

  /** The local site of a function of which nothing more is known. */
  int site(String function) {
    return sites.siteOf(function);
  }

  public Value int32(long value) {
    return builder.integer(32, value);
  }

  public Value int64(long value) {
    return builder.integer(64, value);
  }

  /**
   * Records the store of a value that is no number of 1, 2, 4 or 8 bytes. Types with a name cannot
   * be told to the prelude: their values go through a stack slot every time.
   */
  void blockStore(
      Instruction instruction, Value pm, Value address, Value value, boolean nonTemporal) {
    Type type = value.type();
    Value length = int64(module.storeSize(type));
    Value nt = int32(nonTemporal ? 1 : 0);
    Optional<Function> typed = prelude.blockStore(type);
    if (typed.isPresent()) {
      event(typed.get(), instruction, pm, address, value, length, nt);
    } else {
      builder.before(instruction.owner().blocks().get(0).afterAllocas());
      Value slot = builder.stackSlot(type);
      builder.before(instruction);
      builder.store(value, slot);
      event("store_block", instruction, pm, address, slot, length, nt);
    }
  }

  private Instruction event(Function hook, Instruction instruction, Value... arguments) {
    List<Value> all = new ArrayList<>(List.of(arguments));
    all.add(int32(site(instruction)));
    return builder.call(hook, all);
  }
}
