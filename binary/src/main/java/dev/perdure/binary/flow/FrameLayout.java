package dev.perdure.binary.flow;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Executes the call frame instructions of a function as far as callers are found by them. */
public final class FrameLayout {
  private static final int DWARF_RBP = 6;
  private static final int DWARF_RSP = 7;

  private record State(int register, long offset, long savedRbp, boolean known) {}

  private final CallFrameProgram program;
  private final List<FrameRow> rows = new ArrayList<>();
  private final Deque<State> remembered = new ArrayDeque<>();
  private State state = new State(DWARF_RSP, 8, 0, true);
  private State initial = state;
  private long address;

  private FrameLayout(UnwindEntry entry) {
    this.program = entry.program();
    this.address = entry.start();
  }

  /** The rows of all functions, ordered by address; gaps between functions are unknown. */
  public static List<FrameRow> of(List<UnwindEntry> entries) {
    List<FrameRow> all = new ArrayList<>();
    for (UnwindEntry e : entries) {
      all.addAll(new FrameLayout(e).run());
      all.add(FrameRow.unknown(e.start() + e.length()));
    }
    return all;
  }

  private List<FrameRow> run() {
    try {
      execute(new FrameReader(ByteBuffer.wrap(program.initial()), 0));
      initial = state;
      execute(new FrameReader(ByteBuffer.wrap(program.own()), 0));
    } catch (BufferUnderflowException e) {
      // Cut short: callers cannot be found from here on.
      state = new State(0, 0, 0, false);
    }
    add();
    return rows;
  }

  private void add() {
    FrameRow.Base base = base();
    FrameRow row =
        base == FrameRow.Base.UNKNOWN
            ? FrameRow.unknown(address)
            : new FrameRow(address, base, (int) state.offset, (int) state.savedRbp);
    if (!rows.isEmpty() && rows.get(rows.size() - 1).address() == address) {
      rows.set(rows.size() - 1, row);
    } else {
      rows.add(row);
    }
  }

  private FrameRow.Base base() {
    boolean fits =
        state.offset >= 0
            && state.offset < 1 << 19
            && state.savedRbp >= 0
            && state.savedRbp < 1 << 11;
    if (!state.known || !fits) {
      return FrameRow.Base.UNKNOWN;
    }
    return switch (state.register) {
      case DWARF_RSP -> FrameRow.Base.RSP;
      case DWARF_RBP -> FrameRow.Base.RBP;
      default -> FrameRow.Base.UNKNOWN;
    };
  }

  private void advance(long by) {
    add();
    address += by * program.codeFactor();
  }

  private void cfa(long register, long offset) {
    state = new State((int) register, offset, state.savedRbp, true);
  }

  private void saved(long register, long factored) {
    if (register == DWARF_RBP) {
      state =
          new State(state.register, state.offset, -factored * program.dataFactor(), state.known);
    }
  }

  private void restore(long register) {
    if (register == DWARF_RBP) {
      state = new State(state.register, state.offset, initial.savedRbp, state.known);
    }
  }

  private void execute(FrameReader in) {
    while (in.bytes.hasRemaining()) {
      int op = in.bytes.get() & 0xff;
      switch (op & 0xc0) {
        case 0x40 -> advance(op & 0x3f);
        case 0x80 -> saved(op & 0x3f, in.unsigned());
        case 0xc0 -> restore(op & 0x3f);
        default -> extended(op, in);
      }
    }
  }

  private void extended(int op, FrameReader in) {
    switch (op) {
      case 0x00 -> {
        // Padding.
      }
      case 0x02 -> advance(in.bytes.get() & 0xff);
      case 0x03 -> advance(in.bytes.getShort() & 0xffff);
      case 0x04 -> advance(in.bytes.getInt() & 0xffffffffL);
      case 0x05 -> saved(in.unsigned(), in.unsigned());
      case 0x06 -> restore(in.unsigned());
      case 0x07, 0x08 -> in.unsigned();
      case 0x09 -> {
        in.unsigned();
        in.unsigned();
      }
      case 0x0a -> remembered.push(state);
      case 0x0b -> state = remembered.isEmpty() ? initial : remembered.pop();
      case 0x0c -> cfa(in.unsigned(), in.unsigned());
      case 0x0d -> cfa(in.unsigned(), state.offset);
      case 0x0e -> cfa(state.register, in.unsigned());
      case 0x0f -> {
        skipBlock(in);
        state = new State(state.register, state.offset, state.savedRbp, false);
      }
      case 0x10, 0x16 -> {
        if (in.unsigned() == DWARF_RBP) {
          state = new State(state.register, state.offset, state.savedRbp, false);
        }
        skipBlock(in);
      }
      case 0x11 -> saved(in.unsigned(), in.signed());
      case 0x12 -> cfa(in.unsigned(), in.signed() * program.dataFactor());
      case 0x13 -> cfa(state.register, in.signed() * program.dataFactor());
      case 0x2e -> in.unsigned();
      default -> throw new BufferUnderflowException();
    }
  }

  private static void skipBlock(FrameReader in) {
    int length = (int) in.unsigned();
    if (length < 0 || length > in.bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    in.bytes.position(in.bytes.position() + length);
  }
}
