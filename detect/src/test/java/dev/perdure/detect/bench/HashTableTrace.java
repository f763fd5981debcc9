package dev.perdure.detect.bench;

import dev.perdure.detect.trace.Trace;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.Arrays;
import java.util.Random;

/** The events of a concurrent hash table in persistent memory, packed into arrays. */
final class HashTableTrace {
  private static final int THREADS = 8;
  private static final long MUTEXES = 0x7f0000000000L;
  private static final int PLAIN8 = MemoryOrder.info(8, MemoryOrder.PLAIN);

  private long[] heads = new long[1 << 20];
  private long[] addresses = new long[1 << 20];
  private long[] values = new long[1 << 20];
  private int length;
  private int prologue;

  HashTableTrace(int wanted, int buckets, long seed) {
    add(1, EventKind.THREAD_BEGIN, 1, 0, 1, 0);
    for (int t = 2; t <= 1 + THREADS; t++) {
      add(1, EventKind.THREAD_CREATE, 0, 0, t, 0);
      add(t, EventKind.THREAD_BEGIN, 0, 1, t, 0);
    }
    prologue = length;
    Random random = new Random(seed);
    int[] bucket = new int[THREADS];
    int[] step = new int[THREADS];
    boolean[] put = new boolean[THREADS];
    boolean[] locked = new boolean[buckets];
    int busy = 0;
    while (length < wanted || busy > 0) {
      int t = random.nextInt(THREADS);
      if (step[t] == 0) {
        if (length >= wanted) {
          continue;
        }
        bucket[t] = random.nextInt(buckets);
        put[t] = random.nextBoolean();
        if (locked[bucket[t]]) {
          continue;
        }
        locked[bucket[t]] = true;
        busy++;
      }
      step[t] = operation(2 + t, bucket[t], put[t], step[t]);
      if (step[t] == 0) {
        locked[bucket[t]] = false;
        busy--;
      }
    }
  }

  /** One event of a put or get; returns the next step, 0 when it is done. */
  private int operation(int t, int bucket, boolean put, int step) {
    long at = Trace.PM + 4096 + 64L * bucket;
    switch (step) {
      case 0 -> add(t, EventKind.ACQUIRE, 0, MUTEXES + 40L * bucket, 0, 1);
      case 1 -> add(t, EventKind.LOAD, PLAIN8, at, bucket, put ? 2 : 3);
      case 2 -> {
        if (!put) {
          add(t, EventKind.LOAD, PLAIN8, at + 8, length, 4);
          return 6;
        }
        add(t, EventKind.STORE, PLAIN8, at, bucket, 5);
      }
      case 3 -> add(t, EventKind.STORE, PLAIN8, at + 8, length, 6);
      case 4 -> add(t, EventKind.FLUSH, EventInfo.FLUSH_CLWB, at, 1, 7);
      case 5 -> add(t, EventKind.FENCE, EventInfo.FENCE_SFENCE, 0, 0, 8);
      default -> {
        add(t, EventKind.RELEASE, 0, MUTEXES + 40L * bucket, 0, 9);
        return 0;
      }
    }
    return step + 1;
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

  /** Event i of an endless trace: after the last one the operations start again. */
  void fill(Event event, long i) {
    int at = (int) (i < length ? i : prologue + (i - length) % (length - prologue));
    long head = heads[at];
    int low = (int) head;
    event.set(
        low >>> 8 & 0xff,
        low & 0xff,
        low >>> 16,
        i,
        addresses[at],
        (int) (head >>> 32),
        0,
        values[at]);
  }
}
