package dev.perdure.detect.sync;

import java.util.ArrayList;
import java.util.List;

/** What a lock's number stands for: its address, and what is known of its kind. */
public final class LockRegistry {
  private static final int RWLOCK = 1;
  private static final int WORD = 2;
  private static final int RECOGNISED = 4;

  private long[] addresses = new long[64];
  private int[] flags = new int[64];
  private int count;

  int addLock(long address) {
    return add(address, 0);
  }

  /** A word that behaves like a lock so far; whether it is one is known at the end. */
  int addWord(long address) {
    return add(address, WORD);
  }

  private int add(long address, int flag) {
    addresses = LongIndex.fit(addresses, count);
    flags = LongIndex.fit(flags, count);
    addresses[count] = address;
    flags[count] = flag;
    return count++;
  }

  void markShared(int lock) {
    flags[lock] |= RWLOCK;
  }

  void recognise(int word, boolean yes) {
    flags[word] = yes ? flags[word] | RECOGNISED : flags[word] & ~RECOGNISED;
  }

  /** Whether the lock is known to be one; for words this may change as the trace goes on. */
  public boolean isRecognised(int lock) {
    return (flags[lock] & WORD) == 0 || (flags[lock] & RECOGNISED) != 0;
  }

  /** Whether the lock is a word whose recognition is still open. */
  public boolean isWord(int lock) {
    return (flags[lock] & WORD) != 0;
  }

  /** Names for people, e.g. {@code mutex 0x7f0012}. */
  public List<String> names(int[] members) {
    List<String> names = new ArrayList<>(members.length);
    for (int member : members) {
      int lock = Locksets.lock(member);
      String kind =
          (flags[lock] & WORD) != 0
              ? "lock word"
              : (flags[lock] & RWLOCK) != 0 ? "rwlock" : "mutex";
      String mode = Locksets.isShared(member) ? " (shared)" : "";
      names.add(kind + " 0x" + Long.toHexString(addresses[lock]) + mode);
    }
    return names;
  }
}
