package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.flow.Function;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds room for the jumps into the copy. The code is taken in {@link CodeRuns runs}. A run with an
 * observed instruction gets one jump, at or before that instruction; what follows it in the run is
 * dead from then on, and may hold the long half of somebody's short jump. So may the padding behind
 * functions, and what follows a jump that is put into a run only for that.
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

  private final CodeRuns runs;
  private final TextBytes text;
  private final DeadBytes dead = new DeadBytes(JUMP, REACH);
  private final TreeMap<Long, CodeRuns.Run> spare = new TreeMap<>();
  private final List<CodeRuns.Run> tight = new ArrayList<>();
  private final List<Patch> patches = new ArrayList<>();
  private final Set<Long> early = new HashSet<>();
  private final Set<Long> replacedCalls = new HashSet<>();
  private final IntArrayList moved = new IntArrayList();
  private final Map<Tactic, Integer> tactics = new EnumMap<>(Tactic.class);

  /** The jump that was put in last ends here, perhaps in the padding behind its run. */
  private long jumpEnd;

  Placement(CodeRuns runs, TextBytes text) {
    this.runs = runs;
    this.text = text;
  }

  /** All changes of the text; what an early one relies on is early, too. */
  List<Patch> patches(CopiedCode copied) {
    return patches.stream().map(p -> finish(p, copied)).toList();
  }

  private Patch finish(Patch p, CopiedCode copied) {
    long target = p.kind() == Patch.Kind.SHORT_JUMP ? p.target() : copied.position(p.target());
    return new Patch(p.kind(), p.address(), target, p.before(), early.contains(p.address()));
  }

  /** Instructions that may be overwritten, each with its position in the copy, ascending. */
  int[] moved(CopiedCode copied) {
    int[] addresses = moved.toIntArray();
    Arrays.sort(addresses);
    int[] pairs = new int[2 * addresses.length];
    for (int i = 0; i < addresses.length; i++) {
      pairs[2 * i] = addresses[i];
      pairs[2 * i + 1] = copied.position(addresses[i]);
    }
    return pairs;
  }

  Map<Tactic, Integer> tactics() {
    return tactics;
  }

  /** Calls that cannot be made from the text, because a jump takes their place. */
  Set<Long> replacedCalls() {
    return replacedCalls;
  }

  /**
   * Patches the runs of a function whose observed instructions are marked.
   *
   * @param always those that are observed also where there is no persistent memory
   */
  void add(Function function, BitSet sites, BitSet always) {
    jumpEnd = 0;
    runs.forEach(
        function,
        sites,
        always,
        run -> {
          if (run.site() >= 0) {
            place(run);
          } else if (unreachable(run)) {
            long from = run.address(run.first());
            dead.add(Math.max(from, jumpEnd), from + padding(from), 0);
          } else if (run.address(run.first()) >= jumpEnd) {
            spare.put(run.address(run.first()), run);
          }
        });
    dead.add(Math.max(function.end(), jumpEnd), function.end() + padding(function.end()), 0);
  }

  /** Padding inside a function: what stands before it goes elsewhere. */
  private boolean unreachable(CodeRuns.Run run) {
    List<Instruction> code = run.function().code();
    return run.first() > 0
        && code.get(run.first() - 1).operation().endsFlow()
        && padding(run.address(run.first())) > 0;
  }

  private void place(CodeRuns.Run run) {
    int at = roomBefore(run);
    if (at >= 0) {
      boolean alone = run.function().code().get(at).length() >= JUMP;
      jump(run, at, alone ? Tactic.ONE_INSTRUCTION : Tactic.SEVERAL_INSTRUCTIONS);
    } else if (run.site() == run.end()) {
      // A call that the copy makes: nothing but its own bytes is to be overwritten.
      replacedCalls.add(run.address(run.site()));
      tight.add(
          new CodeRuns.Run(run.function(), run.site(), run.site(), run.site() + 1, run.early()));
    } else {
      tight.add(run);
    }
  }

  /** The instruction at or before the first site that a jump may take the place of, or -1. */
  private int roomBefore(CodeRuns.Run run) {
    int last = Math.min(run.site(), run.end() - 1);
    for (int i = run.first(); i <= last; i++) {
      if (run.function().code().get(i).length() >= JUMP) {
        return i;
      }
    }
    long limit = run.endAddress() + (run.endsFlow() ? padding(run.endAddress()) : 0);
    for (int i = last; i >= run.first(); i--) {
      if (limit - run.address(i) >= JUMP) {
        return i;
      }
    }
    return -1;
  }

  /** Bytes of alignment that nothing can reach. */
  private int padding(long from) {
    int bytes = 0;
    for (int n = -1; n != 0 && !runs.targets().contains(from + bytes); bytes += n) {
      n = text.paddingAt(from + bytes);
    }
    return bytes;
  }

  private void jump(CodeRuns.Run run, int index, Tactic tactic) {
    long at = run.address(index);
    patch(Patch.Kind.JUMP, at, at, JUMP);
    enter(run, index);
    jumpEnd = at + JUMP;
    dead.add(jumpEnd, run.endAddress(), at);
    count(tactic);
  }

  /** The run is left for the copy at the instruction with that index. */
  private void enter(CodeRuns.Run run, int index) {
    if (run.early()) {
      early.add(run.address(index));
    }
    for (int i = index + 1; i < run.end(); i++) {
      moved.add((int) run.address(i));
    }
  }

  private void patch(Patch.Kind kind, long at, long target, int length) {
    patches.add(new Patch(kind, at, target, text.at(at, length), false));
  }

  private void count(Tactic tactic) {
    tactics.merge(tactic, 1, Integer::sum);
  }

  /** The runs that have no room for a jump of their own. */
  void placeTight() {
    for (CodeRuns.Run run : tight) {
      placeTight(run);
    }
  }

  private void placeTight(CodeRuns.Run run) {
    for (int i = run.site(); i >= run.first(); i--) {
      long at = run.address(i);
      if (run.endAddress() - at >= JUMP) {
        patch(Patch.Kind.JUMP, at, at, JUMP);
        enter(run, i);
        count(Tactic.ONE_INSTRUCTION);
        return;
      }
      DeadBytes.Range island = run.endAddress() - at >= SHORT ? island(at + SHORT) : null;
      if (island != null) {
        patch(Patch.Kind.SHORT_JUMP, at, island.from(), SHORT);
        patch(Patch.Kind.JUMP, island.from(), at, JUMP);
        enter(run, i);
        if (run.early()) {
          early.add(island.from());
          early.add(island.owner());
        }
        count(Tactic.SHORT_JUMP);
        return;
      }
    }
    if (!replaceCall(run)) {
      count(Tactic.TRAP);
      trap(run);
    }
  }

  /** Puts the jump also over the direct call that ends the run, which the copy makes then. */
  private boolean replaceCall(CodeRuns.Run run) {
    List<Instruction> code = run.function().code();
    if (run.end() == code.size() || run.end() == run.site()) {
      return false;
    }
    Instruction call = code.get(run.end());
    long at = run.address(run.site());
    boolean follows =
        code.get(run.end() - 1).end() == call.address() && !runs.endsBefore(code, run.end());
    if (!follows || call.operation() != Operation.CALL || call.end() - at < JUMP) {
      return false;
    }
    patch(Patch.Kind.JUMP, at, at, JUMP);
    enter(run, run.site());
    moved.add((int) call.address());
    replacedCalls.add(call.address());
    count(Tactic.SEVERAL_INSTRUCTIONS);
    return true;
  }

  private void trap(CodeRuns.Run run) {
    long at = run.address(run.site());
    patch(Patch.Kind.TRAP, at, at, 1);
    if (run.early()) {
      early.add(at);
    }
  }

  /** Takes five dead bytes in reach of a short jump that ends at the address; null if none. */
  private DeadBytes.Range island(long from) {
    DeadBytes.Range found = dead.take(from);
    return found != null || !clearSpareRun(from) ? found : dead.take(from);
  }

  /** Puts a jump into a run that needs none, in reach of the address: what follows it is dead. */
  private boolean clearSpareRun(long from) {
    for (var e : spare.subMap(from - REACH, true, from + REACH - JUMP, true).entrySet()) {
      long at = e.getKey();
      CodeRuns.Run run = e.getValue();
      if (run.endAddress() - at >= 2 * JUMP) {
        patch(Patch.Kind.JUMP, at, at, JUMP);
        enter(run, run.first());
        dead.add(at + JUMP, run.endAddress(), at);
        spare.remove(at);
        return true;
      }
    }
    return false;
  }
}
