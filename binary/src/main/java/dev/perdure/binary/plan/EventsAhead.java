package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.flow.Callees;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.FunctionBlocks;
import dev.perdure.binary.flow.JumpTargets;
import dev.perdure.flow.call.KnownFunctions;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which loads and acquisitions of a function need no time of their own, because on every way from
 * them the thread soon comes to an event that has one: a release, a flush, a fence, a locked
 * instruction, or another access by the same base register, unchanged. "Soon" is without a call,
 * without a string instruction and without going round a loop.
 *
 * <p>What lies ahead is a set of bits: {@link #EVENT}, or the registers by which an object is
 * accessed on every way.
 */
final class EventsAhead {
  private static final int NOTHING = 0;
  private static final int EVENT = -1;
  private static final int NOT_KNOWN = 1 << 30;

  /** Larger loads are events with a length, which always have a time. */
  private static final int WORD = 8;

  private final Function function;
  private final SiteKind[] kinds;
  private final Callees callees;
  private final BitSet loads = new BitSet();
  private final BitSet acquisitions = new BitSet();

  /**
   * @param kinds of the instructions, null where one is not observed
   */
  EventsAhead(Function function, SiteKind[] kinds, JumpTargets targets, Callees callees) {
    this.function = function;
    this.kinds = kinds;
    this.callees = callees;
    FunctionBlocks blocks = new FunctionBlocks(function, targets, List.of(), callees);
    int[] atEntry = new int[blocks.graph().size()];
    Arrays.fill(atEntry, NOT_KNOWN);
    int[] order = blocks.graph().reversePostorder();
    for (int n = order.length - 1; n >= 0; n--) {
      int block = order[n];
      int ahead = behind(blocks.graph().successors(block), atEntry);
      for (int i = blocks.length(block) - 1; i >= 0; i--) {
        ahead = before(blocks.start(block) + i, ahead);
      }
      atEntry[block] = ahead;
    }
  }

  /** The loads that another event follows, by index. */
  BitSet loads() {
    return loads;
  }

  /** The calls of functions that acquire, where another event follows. */
  BitSet acquisitions() {
    return acquisitions;
  }

  /** What lies ahead at the end of a block; a successor that is not known yet closes a loop. */
  private static int behind(int[] successors, int[] atEntry) {
    int ahead = successors.length == 0 ? NOTHING : EVENT;
    for (int successor : successors) {
      ahead = atEntry[successor] == NOT_KNOWN ? NOTHING : ahead & atEntry[successor];
      if (ahead == NOTHING) {
        break;
      }
    }
    return ahead;
  }

  private int before(int index, int behind) {
    Instruction i = function.code().get(index);
    if (i.operation().calls() || leaves(i)) {
      return beforeCall(i, index, behind);
    }
    if (i.operation() == Operation.STRING || i.operation() == Operation.OTHER) {
      return NOTHING;
    }
    SiteKind kind = kinds[index];
    if (kind != null && kind.wantedAlways(i)) {
      return EVENT;
    }
    int ahead = behind == EVENT ? EVENT : behind & ~i.changes();
    if (kind == null || !kind.sharesTests() || !baseIsObject(i.memory())) {
      return ahead;
    }
    int object = 1 << i.memory().base();
    if (kind == SiteKind.LOAD
        && Integer.bitCount(i.size()) == 1
        && i.size() <= WORD
        && (ahead & object) != 0) {
      loads.set(index);
    }
    return ahead | object;
  }

  /** Of two registers that are added as they are, either may be the pointer. */
  static boolean baseIsObject(MemoryOperand m) {
    return !m.ripRelative() && m.base() >= 0 && (m.index() < 0 || m.scale() > 1);
  }

  private boolean leaves(Instruction i) {
    return i.operation() == Operation.INDIRECT_JUMP
        || i.operation() == Operation.JUMP && function.indexOf(i.target()) < 0;
  }

  private int beforeCall(Instruction i, int index, int behind) {
    if (is(i, KnownFunctions::releasesAtOnce)) {
      return EVENT;
    }
    if (i.operation().calls() && behind == EVENT && is(i, KnownFunctions::acquiresLock)) {
      acquisitions.set(index);
    }
    return NOTHING;
  }

  /** Whether a function of another module is called that has such a name. */
  private boolean is(Instruction call, Predicate<String> such) {
    var callee = callees.of(call);
    return callee.address().isEmpty() && callee.name().filter(such).isPresent();
  }
}
