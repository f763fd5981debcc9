package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
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
    byte[] bytes = entry.getValue().bytes;
    int from = (int) (address - entry.getValue().address);
    int at = from;
    while (at < bytes.length && (bytes[at] == 0x66 || bytes[at] == 0x2e)) {
      at++;
    }
    if (at < bytes.length && ((bytes[at] & 0xff) == 0x90 || (bytes[at] & 0xff) == 0xcc)) {
      return at + 1 - from;
    }
    boolean longOne = at + 1 < bytes.length && bytes[at] == 0x0f && bytes[at + 1] == 0x1f;
    return longOne
        ? new Decoder(bytes, entry.getValue().address)
            .at(address)
            .map(Instruction::length)
            .orElse(0)
        : 0;
  }

  long low() {
    return parts.firstKey();
  }

  long high() {
    return parts.lastEntry().getValue().end();
  }
}
