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

/**
 * Finds room for the jumps into the copy. The code is taken in runs: stretches that are entered at
 * their first instruction only, and that end where something else may jump to, or with a call. A
 * run with an observed instruction gets one jump, at or before that instruction; what follows it in
 * the run is dead from then on, and may hold the long half of somebody's short jump.
 */
final class Placement {
  /** How a run was patched. */
  enum Tactic {
    ONE_INSTRUCTION,
    SEVERAL_INSTRUCTIONS,
    SHORT_JUMP,
    TRAP,
    NOT_PATCHED
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
  private final List<Run> tight = new ArrayList<>();
  private final List<Patch> patches = new ArrayList<>();
  private final Map<Tactic, Integer> tactics = new EnumMap<>(Tactic.class);
  private final List<Long> notPatched = new ArrayList<>();

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

  /** The first observed instruction of each run that found no room. */
  List<Long> notPatched() {
    return notPatched;
  }

  /** Patches the runs of a function whose observed instructions are marked. */
  void add(Function function, BitSet sites) {
    List<Instruction> code = function.code();
    for (int first = 0; first < code.size(); ) {
      int next = first + 1;
      while (!ends(code, next)) {
        next++;
      }
      int site = sites.nextSetBit(first);
      if (site >= 0 && site < next) {
        place(new Run(function, first, site, callStays(code, next)));
      }
      first = next;
    }
  }

  private boolean ends(List<Instruction> code, int next) {
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
    for (int i = run.first; i <= run.site && i < run.end; i++) {
      if (run.function.code().get(i).length() >= JUMP) {
        jump(run, i, Tactic.ONE_INSTRUCTION);
        return;
      }
    }
    long limit = run.endAddress() + (endsFlow(run) ? padding(run.endAddress()) : 0);
    for (int i = Math.min(run.site, run.end - 1); i >= run.first; i--) {
      if (limit - run.address(i) >= JUMP) {
        jump(run, i, Tactic.SEVERAL_INSTRUCTIONS);
        return;
      }
    }
    tight.add(run);
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
    free(at + JUMP, run.endAddress());
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
      if (run.site < run.end) {
        placeTight(run);
      } else {
        // A call through memory that is a run of its own: its own bytes must stay.
        count(Tactic.NOT_PATCHED);
        notPatched.add(run.address(run.site));
      }
    }
  }

  private void placeTight(Run run) {
    for (int i = run.site; i >= run.first; i--) {
      long at = run.address(i);
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

  private Long take(long from, long to, long at) {
    dead.remove(from);
    free(from, at);
    free(at + JUMP, to);
    return at;
  }
}
