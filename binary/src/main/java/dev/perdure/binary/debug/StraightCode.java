package dev.perdure.binary.debug;

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

/** Tells whether code runs from its beginning to its end without calls and jumps. */
final class StraightCode {
  private final ElfFile elf;
  private final List<ElfSection> sections;
  private final Map<ElfSection, Decoder> decoders = new HashMap<>();

  StraightCode(ElfFile elf) throws IOException {
    this.elf = elf;
    this.sections = elf.sections().stream().filter(ElfSection::executable).toList();
  }

  boolean between(long from, long to) {
    Optional<ElfSection> section = sections.stream().filter(s -> s.contains(from)).findFirst();
    if (section.isEmpty()) {
      return false;
    }
    Decoder decoder = decoders.computeIfAbsent(section.get(), this::decoder);
    for (long at = from; at < to; ) {
      Optional<Instruction> next = decoder.at(at);
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
