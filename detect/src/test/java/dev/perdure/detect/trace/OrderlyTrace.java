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
 * Traces of programs that mostly do as they should: each line has its lock, and threads visit it
 * under that lock, by one of a few ways through the code, and leave it persistent. Now and then
 * something else happens, so that lines that were in order for long have to be taken for what they
 * are.
 */
public final class OrderlyTrace {
  private static final long LOCKS = 0x1000;
  private static final int LINES = 3;
  private static final int[] SIZES = {1, 2, 4, 8, 8, 8};

  /** As many threads that are gone bring those that follow to indices that are reused. */
  private static final int MANY = 70;

  private final Random random;
  private final Trace trace = new Trace();
  private final List<Integer> running = new ArrayList<>(List.of(1));
  private final Map<Integer, Deque<Runnable>> plans = new HashMap<>();
  private final int[] takenBy = new int[LINES];
  private final boolean[] orphaned = new boolean[LINES];
  private final long[] ways = new long[4];

  /** One of so many steps is out of order. */
  private final int orderliness;

  private final Set<Long> blocks = new HashSet<>();
  private int nextThread = 2;

  private OrderlyTrace(long seed) {
    random = new Random(seed);
    orderliness = new int[] {8, 30, 120, 1000}[random.nextInt(4)];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = random.nextLong();
    }
  }

  /** The trace of a seed. */
  public static Trace of(long seed, int length) {
    OrderlyTrace o = new OrderlyTrace(seed);
    o.trace.begin(0);
    for (int i = 0; i < (seed % 50 == 0 ? MANY : 0); i++) {
      int number = o.nextThread++;
      o.trace.on(1).create(number).on(number).begin(1).end().on(1).join(number);
    }
    if (o.random.nextBoolean()) {
      o.initialise();
    }
    for (int i = 0; i < 1 + o.random.nextInt(3); i++) {
      o.create(1);
    }
    int end = o.trace.events().size() + length;
    while (o.trace.events().size() < end) {
      o.step();
    }
    return o.trace;
  }

  private static long line(int i) {
    return Trace.PM + 64L * i;
  }

  private static long lock(int i) {
    return LOCKS + 64L * i;
  }

  private void initialise() {
    trace.on(1);
    for (int i = 0; i < LINES; i++) {
      trace.at(20).store(line(i) + 8 * random.nextInt(8), 8, 1);
      if (random.nextBoolean()) {
        trace.storeBlock(line(i), new byte[64]);
      }
      if (random.nextInt(4) > 0) {
        trace.at(21).clwb(line(i));
      }
    }
    trace.sfence();
  }

  private void create(int creator) {
    int number = nextThread++;
    trace.on(creator).create(number).on(number).begin(creator);
    running.add(number);
  }

  private void step() {
    int t = running.get(random.nextInt(running.size()));
    Deque<Runnable> plan = plans.computeIfAbsent(t, k -> new ArrayDeque<>());
    trace.on(t);
    if (random.nextInt(orderliness) == 0) {
      disturb(t);
    } else if (!plan.isEmpty()) {
      plan.poll().run();
    } else {
      int i = random.nextInt(LINES);
      if (takenBy[i] == 0) {
        takenBy[i] = t;
        if (orphaned[i]) {
          trace.lockOfTheDead(lock(i));
        } else {
          trace.lock(lock(i));
        }
        orphaned[i] = false;
        visit(plan, t, i, new Random(ways[random.nextInt(ways.length)]));
      }
    }
  }

  /** One of the program's ways under a lock, to its line and sometimes to another one beside it. */
  private void visit(Deque<Runnable> plan, int t, int i, Random way) {
    int site = 1 + way.nextInt(4);
    int steps = way.nextInt(8) == 0 ? 70 : 1 + way.nextInt(6);
    boolean stores = way.nextInt(3) > 0;
    boolean beside = way.nextInt(3) == 0;
    for (int s = 0; s < steps; s++) {
      int size = SIZES[way.nextInt(SIZES.length)];
      long at = line(beside && way.nextBoolean() ? LINES + i : i);
      long address = at + size * way.nextInt(64 / size);
      int place = site + s % 3;
      long value = random.nextInt(3);
      if (stores && way.nextBoolean()) {
        plan.add(() -> on(t).at(place).store(address, size, value));
        if (way.nextInt(3) == 0) {
          persist(plan, t, at, way.nextInt(4), place);
        }
      } else {
        plan.add(() -> on(t).at(place).load(address, size, value));
      }
    }
    if (stores) {
      persist(plan, t, line(i), way.nextInt(4), 10);
      if (beside) {
        persist(plan, t, line(LINES + i), way.nextInt(4), 11);
      }
    }
    plan.add(
        () -> {
          on(t).unlock(lock(i));
          takenBy[i] = 0;
        });
  }

  private void persist(Deque<Runnable> plan, int t, long line, int how, int place) {
    switch (how) {
      case 0 -> plan.add(() -> on(t).at(place).persistCall(EventInfo.PERSIST_LIBRARY, line, 64));
      case 1 -> plan.add(() -> on(t).at(place).flush(EventInfo.FLUSH_CLFLUSH, line, 1));
      case 2 -> plan.add(() -> on(t).at(place).clwb(line));
      default -> {
        plan.add(() -> on(t).at(place).clwb(line));
        plan.add(() -> on(t).at(place + 1).sfence());
      }
    }
  }

  private Trace on(int t) {
    return trace.on(t);
  }

  private void disturb(int t) {
    long address = line(random.nextInt(2 * LINES)) + random.nextInt(60);
    trace.at(12 + random.nextInt(4));
    switch (random.nextInt(16)) {
      case 0, 1 -> trace.load(address & -8, 8, random.nextInt(3));
      case 2 -> trace.store(address & -8, 8, random.nextInt(3));
      case 3 -> trace.load(address, 4, 1);
      case 4 -> trace.store(address, 4, 1);
      case 5 -> trace.clwb(address);
      case 6 -> trace.sfence();
      case 7 -> trace.load(address & -8, 8, 1, MemoryOrder.ACQUIRE);
      case 8 -> trace.rmw(EventInfo.RMW_OTHER, address & -8, 8, 0, 1, MemoryOrder.SEQ_CST);
      case 9 -> trace.store(address & -8, 8, 1, MemoryOrder.RELEASE);
      case 10, 11 -> block(address & -32);
      case 12 ->
          trace.mark(EventKind.RELAXED_BEGIN).load(address, 1, 1).mark(EventKind.RELAXED_END);
      case 13 ->
          // Somebody else may hold it, or this thread: its release was not seen.
          trace.lock(lock(random.nextInt(LINES)));
      case 14 -> die(t);
      default -> {
        if (running.size() < 5) {
          create(t);
        } else if (t != 1 && plans.get(t).isEmpty()) {
          trace.end();
          running.remove((Integer) t);
          trace.on(1).join(t);
        }
      }
    }
  }

  /** The thread ends in the middle of what it does, or is killed; its locks are robust. */
  private void die(int t) {
    if (t == 1) {
      return;
    }
    if (random.nextBoolean()) {
      trace.end();
    }
    for (int i = 0; i < LINES; i++) {
      orphaned[i] |= takenBy[i] == t;
      takenBy[i] = takenBy[i] == t ? 0 : takenBy[i];
    }
    running.remove((Integer) t);
    plans.remove(t);
    if (random.nextBoolean()) {
      trace.on(1).join(t);
    }
  }

  /** Allocates a block of half a line or of a whole one, or frees what was allocated there. */
  private void block(long address) {
    if (blocks.remove(address)) {
      trace.free(address);
    } else if (!blocks.contains(address ^ 32)) {
      blocks.add(address);
      trace.alloc(address, address % 64 == 0 && random.nextBoolean() ? 64 : 32);
    }
  }
}
