package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Access;
import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.decode.RegisterOperands;
import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.FunctionBlocks;
import dev.perdure.binary.flow.JumpTargets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which stores and flushes of a function may have the time of the thread's last event, because on
 * every way to them there was one just before: a fence, or a store or flush of the same object, and
 * since then no call, no read of what other threads may write, and no round of a loop without such
 * an event. A store that may overwrite another one since the last event with a time of its own has
 * one, too: else the first value would never have been there.
 *
 * <p>What lies behind is a set of bits: {@link #EVENT}, or the registers that point into an object
 * with an event on every way. Copies of such a register do so, too, and what is counted up or
 * rounded down from there.
 */
final class EventsBehind {
  private static final int NOTHING = 0;
  private static final int EVENT = -1;
  private static final int RSP = 4;
  private static final int POINTER = 8;

  /** Addition, and, and subtraction of an immediate: the r/m field's operation. */
  private static final int ADD = 0;

  private static final int AND = 4;
  private static final int SUBTRACT = 5;

  /** A mask that rounds down keeps the page. */
  private static final long LEAST_MASK = -4096;

  private static final int FARTHEST = 4096;

  private final Function function;
  private final SiteKind[] kinds;
  private final BitSet preceded = new BitSet();

  /** The stores of a block from its last event with a time of its own on. */
  private final List<Instruction> storedSince = new ArrayList<>();

  private boolean timedInBlock;

  /**
   * @param kinds of the instructions, null where one is not observed
   */
  EventsBehind(Function function, SiteKind[] kinds, JumpTargets targets, Callees callees) {
    this.function = function;
    this.kinds = kinds;
    FunctionBlocks blocks = new FunctionBlocks(function, targets, List.of(), callees);
    int[] atEnd = new int[blocks.graph().size()];
    // What the blocks of a loop have by themselves in the first round holds at its back edge in the
    // second.
    walk(blocks, targets, atEnd);
    preceded.clear();
    walk(blocks, targets, atEnd);
  }

  /** The stores and flushes that may have the time of the last event, by index. */
  IntStream preceded() {
    return preceded.stream();
  }

  private void walk(FunctionBlocks blocks, JumpTargets targets, int[] atEnd) {
    for (int block : blocks.graph().reversePostorder()) {
      int behind = NOTHING;
      if (block < blocks.count()
          && !targets.isEntry(function.code().get(blocks.start(block)).address())) {
        int[] before = blocks.graph().predecessors(block);
        behind = before.length == 0 ? NOTHING : EVENT;
        for (int b : before) {
          behind &= atEnd[b];
        }
      }
      forgetStores(false);
      for (int i = 0; i < blocks.length(block); i++) {
        behind = after(blocks.start(block) + i, behind);
      }
      atEnd[block] = behind;
    }
  }

  private int after(int index, int behind) {
    Instruction i = function.code().get(index);
    SiteKind kind = kinds[index];
    if (kind == null) {
      if (storedSince.stream().anyMatch(s -> (s.memory().registers() & i.changes()) != 0)) {
        forgetStores(false);
      }
      return takesTime(i) || readsOthers(i) ? NOTHING : afterUnobserved(i, behind);
    }
    return switch (kind) {
      case FENCE -> afterFence(i);
      case STORE -> afterStore(index, i, behind);
      case FLUSH -> afterFlush(index, i, behind);
      default -> NOTHING;
    };
  }

  private int afterFence(Instruction i) {
    forgetStores(true);
    return i.operation().fence() ? EVENT : NOTHING;
  }

  private int afterStore(int index, Instruction i, int behind) {
    if (i.operation() == Operation.MOVE
        && isBehind(i.memory(), behind)
        && timedInBlock
        && storedSince.stream().noneMatch(before -> mayOverlap(before, i))) {
      preceded.set(index);
    } else {
      forgetStores(true);
    }
    storedSince.add(i);
    return afterAccess(i, behind);
  }

  private int afterFlush(int index, Instruction i, int behind) {
    if (i.operation() != Operation.CLFLUSH && isBehind(i.memory(), behind)) {
      preceded.set(index);
    } else {
      forgetStores(true);
    }
    return afterAccess(i, behind);
  }

  private void forgetStores(boolean timed) {
    storedSince.clear();
    timedInBlock = timed;
  }

  private static boolean isBehind(MemoryOperand m, int behind) {
    return EventsAhead.baseIsObject(m) && (behind & 1 << m.base()) != 0;
  }

  /** Addresses by other registers may be any. */
  private static boolean mayOverlap(Instruction a, Instruction b) {
    MemoryOperand m = a.memory();
    MemoryOperand n = b.memory();
    long distance = n.displacement() - m.displacement();
    return m.base() != n.base()
        || m.index() != n.index()
        || m.scale() != n.scale()
        || distance < a.size() && -distance < b.size();
  }

  private static boolean takesTime(Instruction i) {
    return i.operation().calls()
        || i.operation() == Operation.OTHER
        || i.operation().transactional();
  }

  /** Loads are not observed everywhere; the stack and thread-local data are the thread's own. */
  private static boolean readsOthers(Instruction i) {
    boolean reads = i.access() == Access.LOAD || i.access() == Access.UPDATE;
    return reads && i.memory().base() != RSP && !i.memory().segment();
  }

  private static int afterAccess(Instruction i, int behind) {
    int object = EventsAhead.baseIsObject(i.memory()) ? 1 << i.memory().base() : 0;
    return (behind | object) & ~i.changes();
  }

  private static int afterUnobserved(Instruction i, int behind) {
    if (behind == EVENT || behind == NOTHING) {
      return behind;
    }
    int kept = behind & ~i.changes();
    int target = Integer.numberOfTrailingZeros(i.changes());
    boolean one = Integer.bitCount(i.changes()) == 1 && target != RSP;
    return one && (behind & pointedFrom(i)) != 0 ? kept | 1 << target : kept;
  }

  /** The register whose object an instruction's result still points into, as a bit; 0 for none. */
  private static int pointedFrom(Instruction i) {
    RegisterOperands r = i.operands();
    if (!r.oneByte() || r.size() != POINTER) {
      return 0;
    }
    return switch (i.opcode()) {
      case 0x89 -> r.rm() >= 0 ? 1 << r.field() : 0;
      case 0x8b -> r.rm() >= 0 ? 1 << r.rm() : 0;
      case 0x8d -> staysNear(i.memory()) ? 1 << i.memory().base() : 0;
      case 0x81, 0x83 -> r.rm() >= 0 && staysNear(r.extension(), i.immediate()) ? 1 << r.rm() : 0;
      default -> 0;
    };
  }

  private static boolean staysNear(MemoryOperand m) {
    return m.base() >= 0
        && !m.ripRelative()
        && m.index() < 0
        && !m.narrow()
        && Math.abs(m.displacement()) <= FARTHEST;
  }

  private static boolean staysNear(int operation, long immediate) {
    return switch (operation) {
      case ADD, SUBTRACT -> Math.abs(immediate) <= FARTHEST;
      case AND -> immediate < 0 && immediate >= LEAST_MASK;
      default -> false;
    };
  }
}
