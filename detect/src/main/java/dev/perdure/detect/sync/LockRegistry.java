package dev.perdure.detect.sync;

import dev.perdure.model.finding.Example;
import dev.perdure.trace.format.Layout;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.List;

/**
 * What a lock's number stands for: its address, and what is known of its kind. The lowest bit of a
 * number tells words, which may or may not be locks, from real locks.
 */
public final class LockRegistry {
  private static final int RWLOCK = 1;
  private static final int RECOGNISED = 2;

  private long[] addresses = new long[64];
  private int[] flags = new int[64];
  private int count;
  private final IntOpenHashSet lockSites = new IntOpenHashSet();
  private final IntOpenHashSet versionSites = new IntOpenHashSet();
  private final IntOpenHashSet doubtedSites = new IntOpenHashSet();
  private final IntOpenHashSet otherSites = new IntOpenHashSet();

  int addLock(long address) {
    return add(address) << 1;
  }

  /** A word that behaves like a lock so far; whether it is one is known at the end. */
  int addWord(long address) {
    return add(address) << 1 | 1;
  }

  private int add(long address) {
    addresses = LongIndex.fit(addresses, count);
    flags = LongIndex.fit(flags, count);
    addresses[count] = address;
    return count++;
  }

  void markShared(int lock) {
    flags[lock >>> 1] |= RWLOCK;
  }

  void recognise(int word, boolean yes) {
    int i = word >>> 1;
    flags[i] = yes ? flags[i] | RECOGNISED : flags[i] & ~RECOGNISED;
  }

  /** The instruction has taken a word that is a lock, or a lock that counts versions. */
  void tookLock(int site, boolean counts) {
    lockSites.add(site);
    if (counts) {
      versionSites.add(site);
    }
  }

  /** The instruction has taken a word that looked like a simple lock, and counts or is none. */
  void doubt(int site) {
    doubtedSites.add(site);
  }

  /** The instruction has changed a word that is none. */
  void tookOther(int site) {
    otherSites.add(site);
  }

  /** Whether what the instruction takes is a lock, by all that is known so far. */
  boolean takesLocks(int site) {
    return lockSites.contains(site)
        && (versionSites.contains(site) || !doubtedSites.contains(site))
        && !otherSites.contains(site);
  }

  /** Whether the lock is known to be one; for words this may change as the trace goes on. */
  public boolean isRecognised(int lock) {
    return !isWord(lock) || (flags[lock >>> 1] & RECOGNISED) != 0;
  }

  /** Whether the lock is a word whose recognition is still open. */
  public static boolean isWord(int lock) {
    return (lock & 1) != 0;
  }

  /** Names for people, e.g. {@code mutex 0x7f0012}; of words, only those that are locks. */
  public List<String> names(int[] members) {
    List<String> names = new ArrayList<>();
    for (int member : members) {
      int lock = Locksets.lock(member);
      if (!isRecognised(lock)) {
        continue;
      }
      if (addresses[lock >>> 1] == Layout.TRANSACTION_LOCK) {
        names.add("the hardware transaction");
        continue;
      }
      boolean rwlock = (flags[lock >>> 1] & RWLOCK) != 0;
      String kind = isWord(lock) ? "lock word" : rwlock ? "rwlock" : "mutex";
      String mode = Locksets.isShared(member) ? Example.SHARED : "";
      names.add(kind + " 0x" + Long.toHexString(addresses[lock >>> 1]) + mode);
    }
    return names;
  }
}
