package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.MemoryOperand;
import dev.perdure.binary.flow.Function;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Which accesses need no test of their own, because one before them in the same run of code was to
 * the same object: the same registers, unchanged since, and a displacement not far away. The run is
 * copied a second time, with all tests, for the case that the one test finds something.
 *
 * @param leaders accesses whose test others rely on
 * @param followers accesses that rely on a test before them
 * @param stretches what is copied twice
 */
record SharedTests(BitSet leaders, BitSet followers, List<Stretch> stretches) {
  /**
   * How far apart accesses of one object may be. The runtime marks blocks for what lies so near to
   * an address that a test looks at.
   */
  private static final long FAR = 4096;

  /**
   * Instructions by their index.
   *
   * @param last included
   */
  record Stretch(int first, int last) {}

  private record Registers(int base, int index, int scale) {}

  private record Tested(int instruction, long displacement) {}

  /**
   * @param kinds of the instructions, null where one is not observed
   * @param endsRun whether a run of code ends before the instruction with an index
   */
  static SharedTests of(Function function, SiteKind[] kinds, IntPredicate endsRun) {
    SharedTests shared = new SharedTests(new BitSet(), new BitSet(), new ArrayList<>());
    for (int first = 0; first < kinds.length; ) {
      int next = first + 1;
      while (!endsRun.test(next)) {
        next++;
      }
      shared.addRun(function, kinds, first, next);
      first = next;
    }
    return shared;
  }

  private void addRun(Function function, SiteKind[] kinds, int first, int end) {
    Map<Registers, Tested> tested = new HashMap<>();
    for (int i = first; i < end; i++) {
      Instruction x = function.code().get(i);
      if (kinds[i] != null && kinds[i].sharesTests() && !x.memory().narrow()) {
        MemoryOperand m = x.memory();
        Registers registers = new Registers(m.base(), m.index(), m.scale());
        long displacement = m.ripRelative() ? x.ripTarget() : m.displacement();
        Tested before = tested.get(registers);
        if (before != null && Math.abs(displacement - before.displacement) <= FAR) {
          leaders.set(before.instruction);
          followers.set(i);
        } else {
          tested.put(registers, new Tested(i, displacement));
        }
      }
      if (kinds[i] == SiteKind.UPDATE_ATOMIC || kinds[i] == SiteKind.BIT) {
        // The words of a block are followed from the first locked instruction on.
        tested.clear();
      }
      tested.keySet().removeIf(r -> (x.changes() & mask(r)) != 0);
    }
    int leader = leaders.nextSetBit(first);
    int follower = followers.previousSetBit(end - 1);
    if (leader >= 0 && leader < end && follower > leader) {
      stretches.add(new Stretch(leader, follower));
    }
  }

  private static int mask(Registers r) {
    return (r.base >= 0 && r.base < MemoryOperand.RIP ? 1 << r.base : 0)
        | (r.index >= 0 ? 1 << r.index : 0);
  }
}
