package dev.perdure.binary.debug;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Code without jumps, by its instructions. */
final class StraightCode {
  private static final int FARTHEST_USE = 64;

  /** Where a loaded value is used first, and the last call before that. */
  record UseBehindCall(long call, long use) {}

  private final ElfFile elf;
  private final List<ElfSection> sections;
  private final Map<ElfSection, Decoder> decoders = new HashMap<>();

  StraightCode(ElfFile elf) throws IOException {
    this.elf = elf;
    this.sections = elf.sections().stream().filter(ElfSection::executable).toList();
  }

  private Optional<Instruction> at(long address) {
    return sections.stream()
        .filter(s -> s.contains(address))
        .findFirst()
        .flatMap(s -> decoders.computeIfAbsent(s, this::decoder).at(address));
  }

  /** The use of the register that an instruction loads, if it comes behind a call. */
  Optional<UseBehindCall> useBehindCall(long address) {
    Optional<Instruction> load = at(address).filter(StraightCode::loadsRegister);
    if (load.isEmpty()) {
      return Optional.empty();
    }
    int register = 1 << load.get().register();
    long call = -1;
    long next = load.get().end();
    for (int i = 0; i < FARTHEST_USE; i++) {
      Optional<Instruction> x = at(next);
      if (x.isEmpty()) {
        return Optional.empty();
      }
      Operation operation = x.get().operation();
      boolean calls = operation == Operation.CALL || operation == Operation.INDIRECT_CALL;
      if ((x.get().reads() & register) != 0) {
        return call < 0 ? Optional.empty() : Optional.of(new UseBehindCall(call, next));
      }
      if (!calls && leaves(operation) || (x.get().changes() & register) != 0) {
        return Optional.empty();
      }
      call = calls ? next : call;
      next = x.get().end();
    }
    return Optional.empty();
  }

  private static boolean loadsRegister(Instruction i) {
    boolean moves = i.operation() == Operation.MOVE || i.operation() == Operation.EXTEND;
    return moves && i.access() == Access.LOAD && i.register() >= 0;
  }

  /** Whether a comparison with memory is followed by a store before its flags are used. */
  boolean storesBehindComparison(long address, long end) {
    Optional<Instruction> next = at(address).filter(StraightCode::compares);
    while (next.isPresent() && next.get().end() < end) {
      next = at(next.get().end());
      if (next.isPresent() && stores(next.get())) {
        return true;
      }
      next = next.filter(i -> !leaves(i.operation()) && !i.flagsRead() && !i.flagsKilled());
    }
    return false;
  }

  private static boolean compares(Instruction i) {
    return i.access() == Access.LOAD && i.flagsKilled() && i.changes() == 0;
  }

  private static boolean stores(Instruction i) {
    return !i.flagsRead() && (i.access() == Access.STORE || i.access() == Access.UPDATE);
  }

  /** Whether code runs from its beginning to its end without calls and jumps. */
  boolean between(long from, long to) {
    for (long at = from; at < to; ) {
      Optional<Instruction> next = at(at);
      if (next.isEmpty() || leaves(next.get().operation())) {
        return false;
      }
      at = next.get().end();
    }
    return true;
  }

  private Decoder decoder(ElfSection section) {
    try {
      return new Decoder(elf.content(section).array(), section.address());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean leaves(Operation operation) {
    return operation.relative() || operation == Operation.INDIRECT_CALL || operation.endsFlow();
  }
}
