package dev.perdure.detect.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LocksetsTest {
  private final Locksets sets = new Locksets();
  private final Random random = new Random(7);

  private int set(TreeSet<Integer> members) {
    int set = Locksets.EMPTY;
    for (int m : members) {
      set = sets.with(set, Locksets.lock(m), Locksets.isShared(m));
    }
    return set;
  }

  private TreeSet<Integer> randomMembers() {
    TreeSet<Integer> members = new TreeSet<>();
    for (int lock = 0; lock < 6; lock++) {
      if (random.nextInt(3) > 0) {
        members.add(lock << 1 | random.nextInt(2));
      }
    }
    return members;
  }

  @Test
  void shouldIntersectAndContainAsSetsDo() {
    for (int i = 0; i < 2000; i++) {
      TreeSet<Integer> a = randomMembers();
      TreeSet<Integer> b = randomMembers();
      TreeSet<Integer> members = new TreeSet<>(a);
      members.retainAll(b);
      TreeSet<Integer> locks = new TreeSet<>();
      for (int m : a) {
        if (b.contains(m) || b.contains(m ^ 1)) {
          locks.add(m & ~1);
        }
      }
      assertThat(sets.commonMembers(set(a), set(b))).isEqualTo(set(members));
      assertThat(sets.common(set(a), set(b))).isEqualTo(set(locks));
      assertThat(sets.contains(set(a), set(b))).isEqualTo(a.containsAll(b));
    }
  }
}
