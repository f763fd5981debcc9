package dev.perdure.binary.debug;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The lines of a unit by address (DWARF 5, 6.2). Sequences that the linker dropped are left out.
 */
final class LineTable {
  private static final int COPY = 1;
  private static final int ADVANCE_PC = 2;
  private static final int ADVANCE_LINE = 3;
  private static final int SET_FILE = 4;
  private static final int SET_COLUMN = 5;
  private static final int CONST_ADD_PC = 8;
  private static final int FIXED_ADVANCE_PC = 9;
  private static final int END_SEQUENCE = 1;
  private static final int SET_ADDRESS = 2;
  private static final int DEFINE_FILE = 3;
  private static final int END = -1;

  private final LineProgram program;
  private long[] addresses = new long[64];
  private int[] lines = new int[64];
  private int[] files = new int[64];
  private int size;

  private LineTable(LineProgram program) {
    this.program = program;
  }

  static LineTable read(Unit unit, long offset) {
    var table = new LineTable(new LineProgram(unit, offset));
    table.run(table.program.instructions());
    return table;
  }

  /** A run of rows with rising addresses, by their indices. */
  private record Sequence(int from, int to) {}

  private void run(Cursor in) {
    List<Sequence> sequences = new ArrayList<>();
    LineProgram p = program;
    long address = 0;
    int file = 1;
    int line = 1;
    int from = 0;
    while (in.at() < p.end) {
      int opcode = in.u8();
      if (opcode >= p.opcodeBase) {
        int adjusted = opcode - p.opcodeBase;
        address += advance(adjusted / p.lineRange);
        line += p.lineBase + adjusted % p.lineRange;
        row(address, file, line);
      } else if (opcode == 0) {
        long length = in.uleb();
        int next = Math.toIntExact(in.at() + length);
        switch (length == 0 ? 0 : in.u8()) {
          case END_SEQUENCE -> {
            row(address, file, END);
            sequences.add(new Sequence(from, size));
            from = size;
            address = 0;
            file = 1;
            line = 1;
          }
          case SET_ADDRESS -> address = length == 9 ? in.u64() : in.u32();
          case DEFINE_FILE -> p.addFile(in.string(), in.uleb());
          default -> {}
        }
        in.moveTo(next);
      } else {
        switch (opcode) {
          case COPY -> row(address, file, line);
          case ADVANCE_PC -> address += advance(in.uleb());
          case ADVANCE_LINE -> line += (int) in.sleb();
          case SET_FILE -> file = (int) in.uleb();
          case SET_COLUMN -> in.skipLeb();
          case CONST_ADD_PC -> address += advance((255 - p.opcodeBase) / p.lineRange);
          case FIXED_ADVANCE_PC -> address += in.u16();
          default -> {
            for (int i = 0; i < p.operands[opcode]; i++) {
              in.skipLeb();
            }
          }
        }
      }
    }
    arrange(sequences);
  }

  private long advance(long operations) {
    return operations * program.minimumInstruction;
  }

  private void row(long address, int file, int line) {
    if (size == addresses.length) {
      addresses = Arrays.copyOf(addresses, size * 2);
      lines = Arrays.copyOf(lines, size * 2);
      files = Arrays.copyOf(files, size * 2);
    }
    addresses[size] = address;
    files[size] = file;
    lines[size++] = line;
  }

  private void arrange(List<Sequence> sequences) {
    List<Sequence> kept =
        sequences.stream()
            .filter(s -> addresses[s.from] > 0 && addresses[s.to - 1] > addresses[s.from])
            .sorted(Comparator.comparingLong(s -> addresses[s.from]))
            .toList();
    int total = kept.stream().mapToInt(s -> s.to - s.from).sum();
    long[] sortedAddresses = new long[total];
    int[] sortedLines = new int[total];
    int[] sortedFiles = new int[total];
    int to = 0;
    for (Sequence s : kept) {
      System.arraycopy(addresses, s.from, sortedAddresses, to, s.to - s.from);
      System.arraycopy(lines, s.from, sortedLines, to, s.to - s.from);
      System.arraycopy(files, s.from, sortedFiles, to, s.to - s.from);
      to += s.to - s.from;
    }
    addresses = sortedAddresses;
    lines = sortedLines;
    files = sortedFiles;
    size = total;
  }

  /** The row that covers an address, -1 if none does. */
  int row(long address) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (addresses[middle] <= address) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high >= 0 && lines[high] != END ? high : -1;
  }

  /** The row before, within the same run of code; -1 at its start. */
  int before(int row) {
    return row > 0 && lines[row - 1] != END ? row - 1 : -1;
  }

  /** The row behind, within the same run of code; -1 at its end. */
  int after(int row) {
    return lines[row + 1] != END ? row + 1 : -1;
  }

  /** Whether two rows name the same line of the same file. */
  boolean sameLine(int row, int other) {
    return lines[row] == lines[other] && files[row] == files[other];
  }

  boolean isLine(int row, int file, int line) {
    return lines[row] == line && file(row).equals(fileByNumber(file));
  }

  long address(int row) {
    return addresses[row];
  }

  /** 0 where the compiler names no line. */
  int line(int row) {
    return lines[row];
  }

  String file(int row) {
    return program.file(files[row]);
  }

  /** The path of a file by the number that entries use. */
  String fileByNumber(int number) {
    return program.file(number);
  }
}
