package dev.perdure.detect.trace;

import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Traces that a program could make: locks are taken when they are free (in some traces not all that
 * frees them is seen, in some threads end with locks that are robust), threads are joined when they
 * have ended, barriers let go when all are there. Everything else is chance, on a few lines of
 * memory, so that things meet.
 */
public final class RandomTrace {
  private static final long LOCKS = 0x1000;
  private static final long RWLOCKS = 0x2000;
  private static final long SEMAPHORES = 0x3000;
  private static final long BARRIER = 0x4000;
  private static final long ATOMICS = 0x5000;
  private static final long FIRST_BLOCK = Trace.PM + 256;
  private static final int SMALL_BLOCKS = 3;
  private static final long LARGE_BLOCK = Trace.PM + (1 << 20) - 2048;
  private static final int LARGE = 5000;

  /** As many threads that are gone bring those that follow to indices that are reused. */
  private static final int MANY = 70;

  private static final int SITES = 12;
  private static final int[] SIZES = {1, 2, 4, 8, 8};

  private final Random random;
  private final Trace trace = new Trace();
  private final List<Integer> running = new ArrayList<>(List.of(1));
  private final List<Integer> ended = new ArrayList<>();
  private final Map<Integer, Deque<Long>> held = new HashMap<>();
  private final Map<Long, Integer> owner = new HashMap<>();
  private final Map<Long, Integer> readers = new HashMap<>();
  private final Map<Long, List<Long>> values = new HashMap<>();
  private final Map<Integer, Integer> relaxed = new HashMap<>();
  private final List<Integer> atBarrier = new ArrayList<>();
  private final List<Integer> leaving = new ArrayList<>();
  private final boolean[] allocated;
  private final boolean losesUnlocks;
  private final boolean losesOwners;
  private final Set<Long> orphaned = new HashSet<>();
  private final long span;
  private final LineFills fills;
  private int nextThread = 2;
  private int posts;

  private RandomTrace(long seed) {
    random = new Random(seed);
    span = random.nextBoolean() ? 24 : 200;
    fills = new LineFills(trace, random, SITES);
    losesUnlocks = seed % 5 == 2;
    losesOwners = seed % 11 < 4;
    // The reference goes byte by byte: a large block is for a few traces only.
    allocated = new boolean[seed % 400 == 7 ? SMALL_BLOCKS + 2 : SMALL_BLOCKS];
  }

  /** The trace of a seed. */
  public static Trace of(long seed, int length) {
    RandomTrace r = new RandomTrace(seed);
    r.trace.begin(0).event(EventKind.BARRIER_INIT, 0, BARRIER, 2);
    int past = seed % 50 == 0 ? MANY : 0;
    for (int i = 0; i < past; i++) {
      int number = r.nextThread++;
      r.trace.on(1).create(number).on(number).begin(1).end().on(1).join(number);
    }
    int threads = 1 + r.random.nextInt(3);
    for (int i = 0; i < threads; i++) {
      r.create(1);
    }
    boolean fills = seed % 4 == 3;
    if (fills) {
      r.fills.structure(Trace.PM, 4, 1, r.running.get(1), r::value);
    }
    int end = r.trace.events().size() + length;
    while (r.trace.events().size() < end) {
      r.step();
    }
    return r.trace;
  }

  private int site() {
    return 1 + random.nextInt(SITES);
  }

  private void step() {
    int t = running.get(random.nextInt(running.size()));
    trace.on(t);
    if (leaving.contains(t)) {
      leaving.remove((Integer) t);
      trace.event(EventKind.BARRIER_LEAVE, 0, BARRIER, 0);
      return;
    }
    if (atBarrier.contains(t)) {
      if (atBarrier.size() == running.size()) {
        create(t);
      }
      return;
    }
    trace.at(site());
    int choice = random.nextInt(100);
    if (choice < 20) {
      load();
    } else if (choice < 42) {
      store();
    } else if (choice < 54) {
      flush();
    } else if (choice < 61) {
      trace.sfence();
    } else if (choice < 76) {
      lock(t);
    } else if (choice < 86) {
      atomic();
    } else if (choice < 92) {
      thread(t);
    } else {
      other(t);
    }
  }

  private long address() {
    switch (random.nextInt(12)) {
      case 0, 1 -> {
        return FIRST_BLOCK + random.nextInt(192);
      }
      case 2 -> {
        if (allocated.length == SMALL_BLOCKS) {
          break;
        }
        int near = random.nextInt(4) * LARGE / 3 - 40 + random.nextInt(80);
        return LARGE_BLOCK + Math.max(0, near);
      }
      default -> {}
    }
    return Trace.PM + random.nextInt((int) span);
  }

  private long value(int size) {
    long v = random.nextInt(3);
    return size == 1 || random.nextBoolean() ? v : v << 8 * (size - 1) | v;
  }

  private int size() {
    return SIZES[random.nextInt(SIZES.length)];
  }

  private void load() {
    int size = size();
    switch (random.nextInt(8)) {
      case 0 -> trace.loadBlock(address(), 1 + random.nextInt(130));
      case 1 -> trace.loadBlock(address() & -64, 64);
      default -> trace.load(address(), size, value(size));
    }
  }

  private void store() {
    int size = size();
    switch (random.nextInt(10)) {
      case 0 -> trace.storeNt(address(), size, value(size));
      case 1 -> trace.storeBlock(address(), bytes(1 + random.nextInt(130)));
      case 2 -> trace.storeBlock(address() & -64, bytes(64));
      case 3 -> {
        byte[] bytes = bytes(1 + random.nextInt(70));
        trace.event(EventKind.STORE_NT_BLOCK, 0, address(), bytes.length, bytes);
      }
      case 4 -> fills.line(address() & -64, this::value);
      default -> trace.store(address(), size, value(size));
    }
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    boolean uniform = random.nextBoolean();
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (uniform ? 1 : random.nextInt(3));
    }
    return bytes;
  }

  private void flush() {
    switch (random.nextInt(8)) {
      case 0 -> trace.flush(EventInfo.FLUSH_CLFLUSH, address(), 1);
      case 1 -> trace.flush(EventInfo.FLUSH_LIBRARY, address(), 1 + random.nextInt(100));
      case 2 -> trace.persistCall(random.nextInt(4), address(), 1 + random.nextInt(80));
      default -> trace.clwb(address());
    }
  }

  private void lock(int t) {
    Deque<Long> mine = held.computeIfAbsent(t, k -> new ArrayDeque<>());
    if (!mine.isEmpty() && random.nextInt(5) < 3) {
      long lock = mine.pop();
      if (!losesUnlocks || random.nextInt(6) > 0) {
        trace.unlock(lock);
      }
      if (!mine.contains(lock)) {
        owner.remove(lock);
        readers.merge(lock, 0, (a, b) -> Math.max(0, a - 1));
      }
      return;
    }
    long lock = (random.nextInt(3) == 0 ? RWLOCKS : LOCKS) + 64 * random.nextInt(2);
    boolean shared = lock >= RWLOCKS && random.nextInt(3) < 2;
    boolean again = mine.contains(lock);
    if (again ? shared != (owner.get(lock) == null) : owner.get(lock) != null) {
      return;
    }
    if (!again && !shared && readers.getOrDefault(lock, 0) > 0) {
      return;
    }
    if (!again && shared) {
      readers.merge(lock, 1, Integer::sum);
    } else if (!again) {
      owner.put(lock, t);
    }
    mine.push(lock);
    if (shared) {
      trace.lockShared(lock);
    } else if (orphaned.remove(lock)) {
      trace.lockOfTheDead(lock);
    } else {
      trace.lock(lock);
    }
  }

  private void atomic() {
    boolean inPm = random.nextInt(4) == 0;
    long address = inPm ? atomicInPm(random.nextInt(4)) : ATOMICS + 8 * random.nextInt(2);
    List<Long> history = values.computeIfAbsent(address, a -> new ArrayList<>(List.of(0L)));
    long recent = history.get(Math.max(0, history.size() - 1 - random.nextInt(4)));
    int[] loadOrders = {MemoryOrder.RELAXED, MemoryOrder.ACQUIRE, MemoryOrder.SEQ_CST};
    int[] storeOrders = {MemoryOrder.RELAXED, MemoryOrder.RELEASE, MemoryOrder.SEQ_CST};
    long fresh = random.nextInt(4);
    switch (random.nextInt(6)) {
      case 0 -> trace.fence(EventInfo.FENCE_ACQUIRE + random.nextInt(3));
      case 1 -> trace.fence(EventInfo.FENCE_MFENCE + random.nextInt(2));
      case 2 -> {
        trace.store(address, 8, fresh, storeOrders[random.nextInt(3)]);
        history.add(fresh);
      }
      case 3 -> {
        int order = MemoryOrder.RELAXED + random.nextInt(5);
        trace.rmw(EventInfo.RMW_OTHER, address, 8, recent, fresh, order);
        history.add(fresh);
      }
      case 4 -> trace.casFailed(address, 8, recent, loadOrders[random.nextInt(3)]);
      default -> trace.load(address, 8, recent, loadOrders[random.nextInt(3)]);
    }
  }

  /** One of them lies in a block that comes and goes. */
  private static long atomicInPm(int i) {
    return i == 3 ? FIRST_BLOCK + 64 : Trace.PM + 8 * i;
  }

  private void thread(int t) {
    if (!ended.isEmpty() && random.nextInt(3) > 0) {
      trace.join(ended.remove(random.nextInt(ended.size())));
    } else if (running.size() > 2 && t != 1 && mayEnd(t) && random.nextBoolean()) {
      Deque<Long> left = held.getOrDefault(t, new ArrayDeque<>());
      owner.keySet().removeAll(left);
      orphaned.addAll(left);
      if (left.isEmpty() || random.nextInt(3) > 0) {
        // Of one that is killed, no end is seen.
        trace.end();
      }
      running.remove((Integer) t);
      ended.add(t);
    } else if (running.size() < 5) {
      create(t);
    }
  }

  private boolean mayEnd(int t) {
    Deque<Long> mine = held.getOrDefault(t, new ArrayDeque<>());
    return mine.isEmpty() || losesOwners && mine.stream().allMatch(lock -> lock < RWLOCKS);
  }

  private void create(int t) {
    int number = nextThread++;
    trace.on(t).create(number);
    running.add(number);
    if (random.nextInt(4) > 0) {
      trace.on(number).begin(t).on(t);
    }
  }

  private void other(int t) {
    switch (random.nextInt(7)) {
      case 0 -> {
        trace.event(EventKind.SEM_POST, 0, SEMAPHORES, 0);
        posts++;
      }
      case 1 -> {
        if (posts > 0) {
          posts--;
          trace.event(EventKind.SEM_WAIT, 0, SEMAPHORES, 0);
        }
      }
      case 2 -> {
        trace.event(EventKind.BARRIER_ENTER, 0, BARRIER, 0);
        atBarrier.add(t);
        if (atBarrier.size() == 2) {
          leaving.addAll(atBarrier);
          atBarrier.clear();
        }
      }
      case 3 -> {
        boolean in = relaxed.getOrDefault(t, 0) > 0;
        trace.mark(in ? EventKind.RELAXED_END : EventKind.RELAXED_BEGIN);
        relaxed.put(t, in ? 0 : 1);
      }
      default -> block();
    }
  }

  private void block() {
    int i = random.nextInt(allocated.length);
    long inLarge = LARGE_BLOCK + LARGE / 3 - 20;
    long[] addresses = {FIRST_BLOCK, FIRST_BLOCK + 20, FIRST_BLOCK + 64, LARGE_BLOCK + 20, inLarge};
    long[] lengths = {20, 44, 128, LARGE, 70};
    if (allocated[i]) {
      trace.free(addresses[i]);
    } else {
      trace.event(EventKind.ALLOC, random.nextInt(4) == 0 ? 1 : 0, addresses[i], lengths[i]);
    }
    allocated[i] = !allocated[i];
  }
}
