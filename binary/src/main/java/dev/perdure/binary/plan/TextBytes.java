package dev.perdure.binary.plan;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.binary.flow.Padding;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeMap;

/** The bytes of a module's executable sections, by address. */
final class TextBytes {
  private record Part(long address, byte[] bytes) {
    long end() {
      return address + bytes.length;
    }
  }

  private final TreeMap<Long, Part> parts = new TreeMap<>();

  static TextBytes of(ElfFile elf, Iterable<ElfSection> sections) throws IOException {
    TextBytes text = new TextBytes();
    for (ElfSection s : sections) {
      if (s.executable()) {
        text.parts.put(s.address(), new Part(s.address(), elf.content(s).array()));
      }
    }
    return text;
  }

  private Part part(long address) {
    var entry = parts.floorEntry(address);
    if (entry == null || address >= entry.getValue().end()) {
      throw new IllegalArgumentException("no code at 0x" + Long.toHexString(address));
    }
    return entry.getValue();
  }

  /** The section's bytes around an address. */
  byte[] sectionOf(long address) {
    return part(address).bytes;
  }

  long sectionAddress(long address) {
    return part(address).address;
  }

  byte[] at(long address, int length) {
    Part p = part(address);
    int from = (int) (address - p.address);
    return Arrays.copyOfRange(p.bytes, from, from + length);
  }

  /** The length of an instruction that does nothing at the address; 0 if there is another. */
  int paddingAt(long address) {
    var entry = parts.floorEntry(address);
    if (entry == null || address >= entry.getValue().end()) {
      return 0;
    }
    Part part = entry.getValue();
    return Padding.lengthAt(part.bytes, part.address, address);
  }

  long low() {
    return parts.firstKey();
  }

  long high() {
    return parts.lastEntry().getValue().end();
  }
}
