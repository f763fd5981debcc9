package dev.perdure.detect.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

  /** Few locks, so that sets have much in common; some rounds have locks far apart. */
  private TreeSet<Integer> randomMembers() {
    TreeSet<Integer> members = new TreeSet<>();
    int distance = random.nextInt(4) == 0 ? 12345 : 1;
    for (int lock = 0; lock < 6; lock++) {
      if (random.nextInt(3) > 0) {
        members.add(lock * distance << 1 | random.nextInt(2));
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

  @Test
  void shouldNumberEqualSetsAlikeHoweverTheyCameAbout() {
    for (int i = 0; i < 2000; i++) {
      TreeSet<Integer> members = randomMembers();
      List<Integer> shuffled = new ArrayList<>(members);
      Collections.shuffle(shuffled, random);
      int more = 1 << random.nextInt(12) | 7 << 20;
      int set = sets.with(Locksets.EMPTY, more, random.nextBoolean());
      for (int m : shuffled) {
        set = sets.with(set, Locksets.lock(m), Locksets.isShared(m));
      }
      set = sets.without(set, more);

      assertThat(set).isEqualTo(set(members));
      assertThat(sets.without(set, more)).isEqualTo(set);
      assertThat(sets.members(set)).containsExactly(toArray(members));
      assertThat(sets.size(set)).isEqualTo(members.size());
      assertThat(sets.bitsOfAllLocks(set))
          .isEqualTo(members.stream().map(Locksets::lock).reduce(-1, (x, y) -> x & y));
      TreeSet<Integer> exclusive = new TreeSet<>(members);
      exclusive.removeIf(Locksets::isShared);
      assertThat(sets.exclusive(set)).isEqualTo(set(exclusive));
    }
  }

  private static int[] toArray(TreeSet<Integer> members) {
    return members.stream().mapToInt(Integer::intValue).toArray();
  }
}
