package dev.perdure.binary.debug;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** An ELF file as debug information sees it: sections by name, decompressed when asked for. */
final class ObjectFile {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  private final ElfFile elf;
  private final Map<String, ElfSection> sections = new HashMap<>();
  private final Map<String, ByteBuffer> read = new HashMap<>();

  ObjectFile(ElfFile elf) throws IOException {
    this.elf = elf;
    for (ElfSection section : elf.sections()) {
      sections.putIfAbsent(section.name(), section);
    }
  }

  /** Opens a file that another one names; empty if it is not there or no ELF file. */
  static Optional<ObjectFile> open(Path path) {
    try {
      Optional<ElfFile> elf = ElfFile.read(path);
      return elf.isPresent() ? Optional.of(new ObjectFile(elf.get())) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  ElfFile elf() {
    return elf;
  }

  /** Whether it has debug information of its own. */
  boolean hasUnits() {
    return section(".debug_info").limit() > 0;
  }

  /** A section's bytes; empty if there is no such section. */
  ByteBuffer section(String name) {
    return read.computeIfAbsent(name, this::read);
  }

  private ByteBuffer read(String name) {
    try {
      ElfSection section = sections.get(name);
      if (section == null) {
        ElfSection gnu = sections.get(name.replaceFirst("^\\.debug", ".zdebug"));
        return gnu == null ? EMPTY : Compression.gnu(elf.content(gnu));
      }
      ByteBuffer content = elf.content(section);
      return section.compressed() ? Compression.standard(content) : content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
