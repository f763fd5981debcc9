package dev.perdure.binary.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What Perdure asks of an executable or library. Only its head is read until more is asked for. */
public final class ElfFile {
  private static final int HEADER = 64;
  private static final int SECTION_HEADER = 64;
  private static final int SEGMENT_HEADER = 56;
  private static final int SYMBOL = 24;
  private static final int X86_64 = 62;
  private static final int TYPE_EXECUTABLE = 2;
  private static final int TYPE_SHARED = 3;
  private static final long NEEDED_LIBRARY = 1;
  private static final long FLAGS_1 = 0x6ffffffbL;
  private static final long PIE = 0x08000000L;
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

  public Path path() {
    return path;
  }

  private boolean littleEndian() {
    return header.get(5) == 1;
  }

  private boolean is64Bit() {
    return header.get(4) == 2;
  }

  private boolean readable() {
    return littleEndian() && is64Bit() && header.remaining() >= HEADER;
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

  /** Whether it is loaded at the addresses that it names, not at a base of the loader's choice. */
  public boolean fixedAddress() {
    return readable() && header.getShort(16) == TYPE_EXECUTABLE;
  }

  /** Whether it is a program or a library, not a part that still is to be linked. */
  public boolean linked() {
    return readable()
        && (header.getShort(16) == TYPE_EXECUTABLE || header.getShort(16) == TYPE_SHARED);
  }

  /** The section headers. Only 64-bit little-endian files have any here. */
  public List<ElfSection> sections() throws IOException {
    if (!readable()) {
      return List.of();
    }
    int count = header.getShort(60) & 0xffff;
    int names = header.getShort(62) & 0xffff;
    ByteBuffer table = readAt(header.getLong(40), count * SECTION_HEADER);
    if (count == 0 || table.remaining() < count * SECTION_HEADER || names >= count) {
      return List.of();
    }
    ByteBuffer strings = content(section(table, names, ""));
    List<ElfSection> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(section(table, i, string(strings, table.getInt(i * SECTION_HEADER))));
    }
    return all;
  }

  private static ElfSection section(ByteBuffer table, int index, String name) {
    int at = index * SECTION_HEADER;
    return new ElfSection(
        name,
        table.getInt(at + 4),
        table.getLong(at + 8),
        table.getLong(at + 16),
        table.getLong(at + 24),
        table.getLong(at + 32),
        table.getInt(at + 40));
  }

  /** A section's bytes as they are in the file, compressed where it says so. */
  public Optional<byte[]> section(String name) throws IOException {
    for (ElfSection section : sections()) {
      if (section.name().equals(name)) {
        return Optional.of(content(section).array());
      }
    }
    return Optional.empty();
  }

  /** A section's bytes in a little-endian buffer; as many of them as the file has. */
  public ByteBuffer content(ElfSection section) throws IOException {
    return section.type() == ElfSection.TYPE_NO_BITS
        ? ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN)
        : readAt(section.offset(), section.size());
  }

  /** The bytes of a part of the file, as far as it has them, in a buffer of just that size. */
  public ByteBuffer readAt(long offset, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long inFile = Math.min(length, channel.size() - offset);
      return offset < 0 || inFile <= 0 || inFile > Integer.MAX_VALUE - 8
          ? ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN)
          : exact(readAt(channel, offset, (int) inFile));
    }
  }

  private static ByteBuffer exact(ByteBuffer b) {
    if (b.remaining() == b.capacity()) {
      return b;
    }
    byte[] bytes = new byte[b.remaining()];
    b.get(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The program headers. */
  public List<ElfSegment> segments() throws IOException {
    if (!readable()) {
      return List.of();
    }
    int count = header.getShort(56) & 0xffff;
    ByteBuffer table = readAt(header.getLong(32), (long) count * SEGMENT_HEADER);
    List<ElfSegment> all = new ArrayList<>();
    for (int at = 0; at + SEGMENT_HEADER <= table.limit(); at += SEGMENT_HEADER) {
      all.add(
          new ElfSegment(
              table.getInt(at),
              table.getInt(at + 4),
              table.getLong(at + 8),
              table.getLong(at + 16),
              table.getLong(at + 32),
              table.getLong(at + 40)));
    }
    return all;
  }

  /**
   * Whether the loader links it when it is started or opened; a static program is not, also where
   * it can be placed anywhere and links itself.
   */
  public boolean dynamic() throws IOException {
    boolean loads = segments().stream().anyMatch(s -> s.type() == ElfSegment.INTERPRETER);
    boolean linked = segments().stream().anyMatch(s -> s.type() == ElfSegment.DYNAMIC);
    return linked
        && (loads || dynamicValues(FLAGS_1).stream().noneMatch(flags -> (flags & PIE) != 0));
  }

  /** The names of the libraries that it asks the loader for. */
  public List<String> needed() throws IOException {
    Optional<byte[]> strings = section(".dynstr");
    List<String> names = new ArrayList<>();
    if (strings.isPresent()) {
      ByteBuffer text = ByteBuffer.wrap(strings.get());
      for (long name : dynamicValues(NEEDED_LIBRARY)) {
        names.add(string(text, Math.toIntExact(name)));
      }
    }
    return names;
  }

  private List<Long> dynamicValues(long tag) throws IOException {
    List<Long> values = new ArrayList<>();
    ByteBuffer entries =
        ByteBuffer.wrap(section(".dynamic").orElse(new byte[0])).order(ByteOrder.LITTLE_ENDIAN);
    while (entries.remaining() >= 2 * Long.BYTES) {
      long found = entries.getLong();
      long value = entries.getLong();
      if (found == tag) {
        values.add(value);
      }
    }
    return values;
  }

  /** The defined symbols of both tables; those of the full one come first. */
  public List<ElfSymbol> symbols() throws IOException {
    List<ElfSection> sections = sections();
    List<ElfSymbol> all = new ArrayList<>();
    for (int type : new int[] {ElfSection.TYPE_SYMBOLS, ElfSection.TYPE_DYNAMIC_SYMBOLS}) {
      for (ElfSection table : sections) {
        if (table.type() == type && table.link() >= 0 && table.link() < sections.size()) {
          addSymbols(content(table), content(sections.get(table.link())), all);
        }
      }
    }
    return all;
  }

  private static void addSymbols(ByteBuffer table, ByteBuffer strings, List<ElfSymbol> to) {
    for (int at = 0; at + SYMBOL <= table.limit(); at += SYMBOL) {
      if (table.getShort(at + 6) != 0 && table.getInt(at) != 0) {
        to.add(
            new ElfSymbol(
                string(strings, table.getInt(at)),
                table.get(at + 4) & 0xff,
                table.getLong(at + 8),
                table.getLong(at + 16)));
      }
    }
  }

  /** The build id in hexadecimal digits, if the linker made one. */
  public Optional<String> buildId() throws IOException {
    Optional<byte[]> note = section(".note.gnu.build-id");
    return note.filter(n -> n.length > 16).map(n -> HexFormat.of().formatHex(n, 16, n.length));
  }

  /** The string at an offset, up to its zero byte; empty outside of the table. */
  public static String string(ByteBuffer strings, int at) {
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
    while (b.hasRemaining()) {
      int n = channel.read(b, at);
      if (n <= 0) {
        break;
      }
      at += n;
    }
    return b.flip();
  }
}
