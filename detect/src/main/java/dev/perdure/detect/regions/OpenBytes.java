package dev.perdure.detect.regions;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;

/**
 * The bytes that one thread has regions of one kind open for, and when these started. Bytes of a
 * word that have the same history share an entry of its list. An entry has the epoch of the thread
 * whose end closes it, {@link #DIRTY} while that is not known.
 */
final class OpenBytes {
  static final int DIRTY = Integer.MAX_VALUE;

  private static final int NONE = -1;

  private final Long2IntOpenHashMap heads = new Long2IntOpenHashMap();
  private final LongArrayList words = new LongArrayList();
  private int[] masks = new int[64];
  private int[] closings = new int[64];
  private int[] next = new int[64];
  private long[] starts = new long[64];
  private int count;
  private int free = NONE;

  OpenBytes() {
    heads.defaultReturnValue(NONE);
  }

  /** Opens a region for the bytes that have none at the epoch. */
  void open(long word, int mask, int epoch, int closing, long now) {
    int fresh = mask;
    int previous = NONE;
    int head = heads.get(word);
    for (int i = head; i != NONE; ) {
      int after = next[i];
      if (closings[i] >= epoch) {
        fresh &= ~masks[i];
        previous = i;
      } else {
        head = previous == NONE ? after : head;
        if (previous != NONE) {
          next[previous] = after;
        }
        next[i] = free;
        free = i;
      }
      i = after;
    }
    if (!heads.containsKey(word)) {
      words.add(word);
    }
    heads.put(word, fresh == 0 ? head : entry(fresh, closing, now, head));
  }

  /** When the first region started that is open for any of the bytes. */
  long earliest(long word, int mask, int epoch, long otherwise) {
    long earliest = otherwise;
    for (int i = heads.get(word); i != NONE; i = next[i]) {
      if ((masks[i] & mask) != 0 && closings[i] >= epoch) {
        earliest = Math.min(earliest, starts[i]);
      }
    }
    return earliest;
  }

  /** Says when the regions that are open for the bytes are to be closed. */
  void close(long word, int mask, int epoch, int closing) {
    int head = heads.get(word);
    for (int i = head; i != NONE; i = next[i]) {
      int common = masks[i] & mask;
      if (common == 0 || closings[i] < epoch || closings[i] == closing) {
        continue;
      }
      if (common != masks[i]) {
        masks[i] &= ~common;
        head = entry(common, closing, starts[i], head);
      } else {
        closings[i] = closing;
      }
    }
    if (head != NONE) {
      heads.put(word, head);
    }
  }

  void clear() {
    for (int i = 0; i < words.size(); i++) {
      heads.remove(words.getLong(i));
    }
    words.clear();
    count = 0;
    free = NONE;
  }

  private int entry(int mask, int closing, long start, int following) {
    int i = free;
    if (i != NONE) {
      free = next[i];
    } else {
      i = count++;
      if (i == masks.length) {
        masks = Arrays.copyOf(masks, 2 * i);
        closings = Arrays.copyOf(closings, 2 * i);
        next = Arrays.copyOf(next, 2 * i);
        starts = Arrays.copyOf(starts, 2 * i);
      }
    }
    masks[i] = mask;
    closings[i] = closing;
    starts[i] = start;
    next[i] = following;
    return i;
  }
}
