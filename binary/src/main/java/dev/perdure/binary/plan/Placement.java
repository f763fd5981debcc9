package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.JumpTargets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds room for the jumps into the copy. The code is taken in runs: stretches that are entered at
 * their first instruction only, and that end where something else may jump to, or with a call. A
 * run with an observed instruction gets one jump, at or before that instruction; what follows it in
 * the run is dead from then on, and may hold the long half of somebody's short jump. So may the
 * padding behind functions, and what follows a jump that is put into a run only for that.
 */
final class Placement {
  /** How a run was patched. */
  enum Tactic {
    ONE_INSTRUCTION,
    SEVERAL_INSTRUCTIONS,
    SHORT_JUMP,
    TRAP
  }

  private static final int JUMP = 5;
  private static final int SHORT = 2;
  private static final int REACH = 127;

  private record Run(Function function, int first, int site, int end) {
    long address(int index) {
      return function.code().get(index).address();
    }

    long endAddress() {
      return end == 0 ? function.start() : function.code().get(end - 1).end();
    }
  }

  private final JumpTargets targets;
  private final TextBytes text;
  private final CopiedCode copied;
  private final TreeMap<Long, Long> dead = new TreeMap<>();
  private final TreeMap<Long, Run> spare = new TreeMap<>();
  private final List<Run> tight = new ArrayList<>();
  private final List<Patch> patches = new ArrayList<>();
  private final Map<Tactic, Integer> tactics = new EnumMap<>(Tactic.class);

  /** The jump that was put in last ends here, perhaps in the padding behind its run. */
  private long jumpEnd;

  Placement(JumpTargets targets, TextBytes text, CopiedCode copied) {
    this.targets = targets;
    this.text = text;
    this.copied = copied;
  }

  List<Patch> patches() {
    return patches;
  }

  Map<Tactic, Integer> tactics() {
    return tactics;
  }

  /**
   * The observed calls that cannot be made from the text, because a jump must take their place: the
   * copy makes them instead.
   */
  BitSet callsToReplace(Function function, BitSet sites) {
    BitSet calls = new BitSet();
    forEachRun(
        function,
        sites,
        run -> {
          if (run.site == run.end && roomBefore(run) < 0) {
            calls.set(run.site);
          }
        });
    return calls;
  }

  /** Patches the runs of a function whose observed instructions are marked. */
  void add(Function function, BitSet sites) {
    jumpEnd = 0;
    forEachRun(
        function,
        sites,
        run -> {
          if (run.site >= 0) {
            place(run);
          } else if (run.address(run.first) >= jumpEnd) {
            spare.put(run.address(run.first), run);
          }
        });
    free(Math.max(function.end(), jumpEnd), function.end() + padding(function.end()));
  }

  /** The site of a run is the index of its first observed instruction, or -1. */
  private void forEachRun(Function function, BitSet sites, Consumer<Run> action) {
    List<Instruction> code = function.code();
    for (int first = 0; first < code.size(); ) {
      int next = first + 1;
      while (!endsRun(code, next)) {
        next++;
      }
      int site = sites.nextSetBit(first);
      int end = callStays(code, next);
      if (site >= 0 && site < next || end > first) {
        action.accept(new Run(function, first, site < next ? site : -1, end));
      }
      first = next;
    }
  }

  /** Whether a run ends before the instruction with that index. */
  boolean endsRun(List<Instruction> code, int next) {
    Operation last = code.get(next - 1).operation();
    return last == Operation.CALL
        || last == Operation.INDIRECT_CALL
        || last.endsFlow()
        || next == code.size()
        || targets.contains(code.get(next).address());
  }

  /** A call at the end of a run is executed where it is: it must not be overwritten. */
  private static int callStays(List<Instruction> code, int end) {
    Operation last = code.get(end - 1).operation();
    return last == Operation.CALL || last == Operation.INDIRECT_CALL ? end - 1 : end;
  }

  private void place(Run run) {
    int at = roomBefore(run);
    if (at >= 0) {
      boolean alone = run.function.code().get(at).length() >= JUMP;
      jump(run, at, alone ? Tactic.ONE_INSTRUCTION : Tactic.SEVERAL_INSTRUCTIONS);
    } else if (run.site == run.end) {
      // A call that the copy makes: nothing but its own bytes is to be overwritten.
      tight.add(new Run(run.function, run.site, run.site, run.site + 1));
    } else {
      tight.add(run);
    }
  }

  /** The instruction at or before the first site that a jump may take the place of, or -1. */
  private int roomBefore(Run run) {
    int last = Math.min(run.site, run.end - 1);
    for (int i = run.first; i <= last; i++) {
      if (run.function.code().get(i).length() >= JUMP) {
        return i;
      }
    }
    long limit = run.endAddress() + (endsFlow(run) ? padding(run.endAddress()) : 0);
    for (int i = last; i >= run.first; i--) {
      if (limit - run.address(i) >= JUMP) {
        return i;
      }
    }
    return -1;
  }

  /** Bytes of alignment that nothing can reach. */
  private int padding(long from) {
    int bytes = 0;
    for (int n = -1; n != 0 && !targets.contains(from + bytes); bytes += n) {
      n = text.paddingAt(from + bytes);
    }
    return bytes;
  }

  private static boolean endsFlow(Run run) {
    return run.end > 0 && run.function.code().get(run.end - 1).operation().endsFlow();
  }

  private void jump(Run run, int index, Tactic tactic) {
    long at = run.address(index);
    patch(Patch.Kind.JUMP, at, copied.position(at), JUMP);
    jumpEnd = at + JUMP;
    free(jumpEnd, run.endAddress());
    count(tactic);
  }

  private void free(long from, long to) {
    if (to - from >= JUMP) {
      dead.put(from, to);
    }
  }

  private void patch(Patch.Kind kind, long at, long target, int length) {
    patches.add(new Patch(kind, at, target, text.at(at, length)));
  }

  private void count(Tactic tactic) {
    tactics.merge(tactic, 1, Integer::sum);
  }

  /** The runs that have no room for a jump of their own. */
  void placeTight() {
    for (Run run : tight) {
      placeTight(run);
    }
  }

  private void placeTight(Run run) {
    for (int i = run.site; i >= run.first; i--) {
      long at = run.address(i);
      if (run.endAddress() - at >= JUMP) {
        patch(Patch.Kind.JUMP, at, copied.position(at), JUMP);
        count(Tactic.ONE_INSTRUCTION);
        return;
      }
      Long island = run.endAddress() - at >= SHORT ? island(at + SHORT) : null;
      if (island != null) {
        patch(Patch.Kind.SHORT_JUMP, at, island, SHORT);
        patch(Patch.Kind.JUMP, island, copied.position(at), JUMP);
        count(Tactic.SHORT_JUMP);
        return;
      }
    }
    count(Tactic.TRAP);
    trap(run);
  }

  private void trap(Run run) {
    long at = run.address(run.site);
    patch(Patch.Kind.TRAP, at, copied.position(at), 1);
  }

  /** Takes five dead bytes in reach of a short jump that ends at the address; null if none. */
  private Long island(long from) {
    Long found = deadBytes(from);
    return found != null || !clearSpareRun(from) ? found : deadBytes(from);
  }

  private Long deadBytes(long from) {
    var below = dead.floorEntry(from - REACH);
    if (below != null) {
      long start = Math.max(below.getKey(), from - REACH);
      if (below.getValue() - start >= JUMP) {
        return take(below.getKey(), below.getValue(), start);
      }
    }
    for (var e : dead.subMap(from - REACH, false, from + REACH, true).entrySet()) {
      if (e.getValue() - e.getKey() >= JUMP) {
        return take(e.getKey(), e.getValue(), e.getKey());
      }
    }
    return null;
  }

  /** Puts a jump into a run that needs none, in reach of the address: what follows it is dead. */
  private boolean clearSpareRun(long from) {
    for (var e : spare.subMap(from - REACH, true, from + REACH - JUMP, true).entrySet()) {
      long at = e.getKey();
      if (e.getValue().endAddress() - at >= 2 * JUMP) {
        patch(Patch.Kind.JUMP, at, copied.position(at), JUMP);
        free(at + JUMP, e.getValue().endAddress());
        spare.remove(at);
        return true;
      }
    }
    return false;
  }

  private Long take(long from, long to, long at) {
    dead.remove(from);
    free(from, at);
    free(at + JUMP, to);
    return at;
  }
}
