package dev.perdure.target;

import dev.perdure.model.code.SiteTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;

/** What Perdure asks of an executable or library: its architecture, and its sections by name. */
public final class ElfFile {
  private static final int HEADER = 64;
  private static final int SECTION_HEADER = 64;
  private static final int X86_64 = 62;
  private static final Map<Integer, String> MACHINES =
      Map.of(
          3,
          "x86",
          8,
          "mips",
          20,
          "powerpc",
          21,
          "ppc64",
          22,
          "s390x",
          40,
          "arm",
          X86_64,
          "x86-64",
          183,
          "aarch64",
          243,
          "riscv",
          258,
          "loongarch");

  private final Path path;
  private final ByteBuffer header;

  private ElfFile(Path path, ByteBuffer header) {
    this.path = path;
    this.header = header;
  }

  /** Reads a file's head; empty if it is no ELF file. */
  public static Optional<ElfFile> read(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer b = readAt(channel, 0, HEADER);
      return b.remaining() >= 20 && b.getInt(0) == 0x464c457f
          ? Optional.of(new ElfFile(path, b))
          : Optional.empty();
    }
  }

  private boolean littleEndian() {
    return header.get(5) == 1;
  }

  private boolean is64Bit() {
    return header.get(4) == 2;
  }

  private int machineNumber() {
    return (littleEndian() ? header.getShort(18) : Short.reverseBytes(header.getShort(18)))
        & 0xffff;
  }

  /** The architecture, e.g. {@code aarch64}. */
  public String machine() {
    return MACHINES.getOrDefault(machineNumber(), "machine " + machineNumber());
  }

  /** Whether the runtime can live in it. */
  public boolean runsHere() {
    return machineNumber() == X86_64 && is64Bit();
  }

  /** Whether it has a table of sites, as everything has that was built with perdure cc. */
  public boolean instrumented() throws IOException {
    return section(SiteTable.SECTION).isPresent();
  }

  /** A section's bytes. Sections are looked for in 64-bit little-endian files only. */
  public Optional<byte[]> section(String name) throws IOException {
    if (!littleEndian() || !is64Bit() || header.remaining() < HEADER) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long table = header.getLong(40);
      int count = header.getShort(60) & 0xffff;
      int names = header.getShort(62) & 0xffff;
      ByteBuffer sections = readAt(channel, table, count * SECTION_HEADER);
      if (count == 0 || sections.remaining() < count * SECTION_HEADER || names >= count) {
        return Optional.empty();
      }
      ByteBuffer strings = content(channel, sections, names);
      for (int i = 0; i < count; i++) {
        if (name.equals(string(strings, sections.getInt(i * SECTION_HEADER)))) {
          ByteBuffer content = content(channel, sections, i);
          byte[] bytes = new byte[content.remaining()];
          content.get(bytes);
          return Optional.of(bytes);
        }
      }
      return Optional.empty();
    }
  }

  private static ByteBuffer content(FileChannel channel, ByteBuffer sections, int index)
      throws IOException {
    long offset = sections.getLong(index * SECTION_HEADER + 24);
    long size = sections.getLong(index * SECTION_HEADER + 32);
    long inFile = Math.min(size, channel.size() - offset);
    return offset < 0 || inFile <= 0 || inFile > Integer.MAX_VALUE - 8
        ? ByteBuffer.allocate(0)
        : readAt(channel, offset, (int) inFile);
  }

  private static String string(ByteBuffer strings, int at) {
    if (at < 0 || at >= strings.limit()) {
      return "";
    }
    int end = at;
    while (end < strings.limit() && strings.get(end) != 0) {
      end++;
    }
    return new String(strings.array(), at, end - at, StandardCharsets.UTF_8);
  }

  private static ByteBuffer readAt(FileChannel channel, long offset, int length)
      throws IOException {
    ByteBuffer b = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    long at = offset;
    while (offset >= 0 && b.hasRemaining()) {
      int n = channel.read(b, at);
      if (n <= 0) {
        break;
      }
      at += n;
    }
    return b.flip();
  }
}
