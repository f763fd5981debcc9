package dev.perdure.detect.bench;

import dev.perdure.detect.trace.Trace;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.Arrays;
import java.util.Random;

/**
 * The events of a concurrent hash table in persistent memory, packed into arrays: 64K buckets of
 * three slots with a mutex each, eight threads of which some run at the same time, half of the
 * operations puts with flush and fence.
 */
final class HashTableTrace {
  private static final int BUCKETS = 1 << 16;
  private static final int SLOTS = 3;
  private static final int THREADS = 8;
  private static final int TIME_SLICE = 5000;
  private static final long MUTEXES = 0x7f0000000000L;
  private static final int PLAIN8 = MemoryOrder.info(8, MemoryOrder.PLAIN);

  private long[] heads = new long[1 << 20];
  private long[] addresses = new long[1 << 20];
  private long[] values = new long[1 << 20];
  private int length;
  private final Random random;
  private final long[] keys = new long[BUCKETS * SLOTS];
  private final boolean[] locked = new boolean[BUCKETS];
  private final Operation[] running = new Operation[THREADS];
  private int operations;

  /** What a thread is about to do. */
  private final class Operation {
    private final int thread;
    private long key;
    private int bucket;
    private boolean put;
    private int slot;
    private int step;

    Operation(int thread) {
      this.thread = thread;
    }

    private void next() {
      key = 1 + random.nextInt(2 * BUCKETS);
      bucket = (int) (key * 0x9E3779B97F4A7C15L >>> 48) % BUCKETS;
      put = random.nextBoolean();
      slot = 0;
      step = 0;
    }

    /** Adds one event, unless the lock is taken; returns whether the operation is done. */
    boolean run() {
      long at = Trace.PM + 64L * bucket;
      switch (step) {
        case 0 -> {
          if (locked[bucket]) {
            return false;
          }
          locked[bucket] = true;
          add(thread, EventKind.ACQUIRE, 0, MUTEXES + 40L * bucket, 0, put ? 1 : 11);
          step++;
        }
        case 1 -> look(at);
        case 2 -> {
          if (!put) {
            add(thread, EventKind.LOAD, PLAIN8, at + 24 + 8L * slot, key, 13);
            step = 6;
          } else {
            keys[bucket * SLOTS + slot] = key;
            add(thread, EventKind.STORE, PLAIN8, at + 8L * slot, key, 3);
            step++;
          }
        }
        case 3 -> {
          add(thread, EventKind.STORE, PLAIN8, at + 24 + 8L * slot, length, 4);
          step++;
        }
        case 4 -> {
          add(thread, EventKind.FLUSH, EventInfo.FLUSH_CLFLUSHOPT, at, 1, 5);
          step++;
        }
        case 5 -> {
          add(thread, EventKind.FENCE, EventInfo.FENCE_SFENCE, 0, 0, 6);
          step++;
        }
        default -> {
          add(thread, EventKind.RELEASE, 0, MUTEXES + 40L * bucket, 0, put ? 7 : 14);
          locked[bucket] = false;
          return true;
        }
      }
      return false;
    }

    private void look(long at) {
      long found = keys[bucket * SLOTS + slot];
      add(thread, EventKind.LOAD, PLAIN8, at + 8L * slot, found, put ? 2 : 12);
      if (found == key || put && (found == 0 || slot == SLOTS - 2)) {
        slot += found != key && found != 0 ? 1 : 0;
        step = 2;
      } else if (++slot == SLOTS) {
        step = 6;
      }
    }
  }

  HashTableTrace(int operations, int cores, long seed) {
    this.operations = operations;
    this.random = new Random(seed);
    add(1, EventKind.THREAD_BEGIN, 1, 0, 1, 0);
    for (int t = 0; t < THREADS; t++) {
      add(1, EventKind.THREAD_CREATE, 0, 0, 2 + t, 0);
      add(2 + t, EventKind.THREAD_BEGIN, 0, 1, 2 + t, 0);
      running[t] = new Operation(2 + t);
      running[t].next();
    }
    int left = THREADS;
    for (int turn = 0; left > 0; turn++) {
      int t = (turn / TIME_SLICE + random.nextInt(cores)) % THREADS;
      if (running[t] != null && running[t].run()) {
        running[t].next();
        if (--this.operations < THREADS) {
          running[t] = null;
          left--;
        }
      }
    }
  }

  private void add(int thread, int kind, int info, long address, long value, int site) {
    if (length == heads.length) {
      heads = Arrays.copyOf(heads, 2 * length);
      addresses = Arrays.copyOf(addresses, 2 * length);
      values = Arrays.copyOf(values, 2 * length);
    }
    heads[length] = (long) site << 32 | thread << 16 | kind << 8 | info;
    addresses[length] = address;
    values[length++] = value;
  }

  int length() {
    return length;
  }

  void fill(Event event, int i) {
    long head = heads[i];
    int low = (int) head;
    int site = (int) (head >>> 32);
    event.set(low >>> 8 & 0xff, low & 0xff, low >>> 16, i, addresses[i], site, 0, values[i]);
  }
}
