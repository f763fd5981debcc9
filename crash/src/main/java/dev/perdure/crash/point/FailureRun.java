package dev.perdure.crash.point;

import dev.perdure.crash.memory.LinePersistence;
import dev.perdure.crash.memory.LinePersistence.Order;
import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.Place;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;
import java.util.function.Consumer;

/**
 * Plays the recorded run again, event by event, and hands out its failure points. What a point
 * shows is the state just before its event.
 */
public final class FailureRun extends MarkedRun {
  private final Definitions definitions;
  private final PointRules rules;
  private final LinePersistence memory;
  private final DistinctPoints points;

  /**
   * @param needsFlushes whether stores are persistent only after flush and fence
   * @param points takes the failure points, one after the other
   */
  public FailureRun(
      Definitions definitions,
      Pools pools,
      Declarations declarations,
      PointRules rules,
      boolean needsFlushes,
      Consumer<FailurePoint> points) {
    super(
        new ReplayedPools(definitions, pools, declarations, needsFlushes),
        new InjectionScope(rules, declarations),
        new RedundantLogs(definitions));
    this.definitions = definitions;
    this.rules = rules;
    this.memory = this.pools.memory();
    PointStates states =
        new PointStates(stores(), new CommitSets(declarations), rules.everyImage());
    this.points = new DistinctPoints(states, rules.most(), points);
  }

  /** Plays one event. */
  public void play(Event e) {
    pools.advance();
    EventHandler.dispatch(e, this);
    if (rules.behind().isPresent() && rules.behind().get().contains(pools.position())) {
      point(place(e));
    }
  }

  /** The end of the trace, which is a failure point as well. */
  public void end() {
    if (pools.changed() && scope.allows(false)) {
      point(CrashPoint.END_OF_RUN);
    }
  }

  public StoreLog stores() {
    return pools.stores();
  }

  public RedundantLogs redundantLogs() {
    return redundantLogs;
  }

  /** Ordering points that had work before them. */
  public int candidates() {
    return points.candidates();
  }

  /** Those that differed from all before them. */
  public int kept() {
    return points.kept();
  }

  /** Those that differed and were left out because there were too many. */
  public int beyondLimit() {
    return points.beyondLimit();
  }

  @Override
  void ordering(Event e) {
    if (scope.allows(marks(e).inLibrary)) {
      point(place(e));
    }
  }

  private void point(Place place) {
    points.countCandidate();
    if (pools.changed()) {
      points.offer(pools.fail(points.candidates(), place, logged()), memory.windowHash());
    }
  }

  private Place place(Event e) {
    return new Place(
        definitions.site(e.site()),
        e.stack() == 0 ? CallStack.EMPTY : definitions.callStack(e.stack()));
  }

  @Override
  public void map(Event e) {
    pools.map(e);
  }

  @Override
  public void store(Event e) {
    byte[] bytes = e.size() > 8 ? e.payload() : littleEndian(e.value());
    stored(e, bytes, 0, e.size(), e.size() > 8 ? Order.ANY : Order.IN_LINE);
  }

  @Override
  public void storeNt(Event e) {
    byte[] bytes = e.size() > 8 ? e.payload() : littleEndian(e.value());
    stored(e, bytes, 0, e.size(), Order.NON_TEMPORAL);
  }

  @Override
  public void storeBlock(Event e) {
    stored(e, e.payload(), 0, (int) e.value(), Order.ANY);
  }

  @Override
  public void storeNtBlock(Event e) {
    stored(e, e.payload(), 0, (int) e.value(), Order.NON_TEMPORAL);
  }

  @Override
  public void rmw(Event e) {
    fenced(e);
    stored(e, e.payload(), 16, e.size(), Order.IN_LINE);
  }

  @Override
  public void casFailed(Event e) {
    fenced(e);
  }

  private static byte[] littleEndian(long value) {
    byte[] bytes = new byte[8];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (value >>> 8 * i);
    }
    return bytes;
  }

  private void stored(Event e, byte[] bytes, int from, int length, Order order) {
    long address = pools.address(e);
    if (address == PoolAddress.NONE) {
      return;
    }
    ThreadMarks marks = marks(e);
    if (rules.beforeStores()) {
      ordering(e);
    }
    pools.store(e, address, marks, bytes, from, length, order);
  }

  @Override
  public void flush(Event e) {
    long address = pools.address(e);
    if (address == PoolAddress.NONE) {
      return;
    }
    long length = Math.max(1, e.value());
    if (e.info() == EventInfo.FLUSH_CLFLUSH) {
      persisted(e, address, length);
      return;
    }
    for (long line = address & -64; line < address + length; line += 64) {
      memory.flush(line, e.thread());
    }
  }

  @Override
  public void persist(Event e) {
    long address = pools.address(e);
    if (address != PoolAddress.NONE) {
      persisted(e, address, e.value());
    }
  }

  private void persisted(Event e, long address, long length) {
    if (memory.isOpen(address, length)) {
      ordering(e);
      memory.persist(address, length);
      pools.noteChange();
    }
  }

  @Override
  public void fence(Event e) {
    if (e.info() <= EventInfo.FENCE_LIBRARY_DRAIN) {
      fenced(e);
    }
  }

  private void fenced(Event e) {
    if (memory.pendingFor(e.thread())) {
      ordering(e);
      memory.fence(e.thread());
      pools.noteChange();
    }
  }

  @Override
  public void acquire(Event e) {
    lockOperation(e);
  }

  @Override
  public void release(Event e) {
    lockOperation(e);
  }

  private void lockOperation(Event e) {
    if ((e.info() & EventInfo.LOCK_NO_FENCE) == 0) {
      fenced(e);
    }
  }

  @Override
  public void barrierEnter(Event e) {
    fenced(e);
  }

  @Override
  public void semPost(Event e) {
    fenced(e);
  }

  @Override
  public void semWait(Event e) {
    fenced(e);
  }

  @Override
  public void threadCreate(Event e) {
    fenced(e);
  }

  @Override
  public void threadJoin(Event e) {
    if (e.info() != EventInfo.JOINED_PROCESS) {
      fenced(e);
    }
  }
}
