package dev.perdure.crash.point;

import dev.perdure.crash.memory.LinePersistence;
import dev.perdure.crash.memory.LinePersistence.Order;
import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.PoolMap;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.finding.CrashPoint;
import dev.perdure.model.finding.Place;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.List;
import java.util.function.Consumer;

/**
 * Plays the recorded run again, event by event, and hands out its failure points. What a point
 * shows is the state just before its event.
 */
public final class FailureRun implements EventHandler {
  private static final long LARGEST_MARKED_ALLOCATION = 1 << 20;

  private final Definitions definitions;
  private final Pools pools;
  private final Declarations declarations;
  private final PointRules rules;
  private final Consumer<FailurePoint> points;
  private final RedundantLogs redundantLogs;
  private final PoolMap map = new PoolMap();
  private final StoreLog stores = new StoreLog();
  private final LinePersistence memory;
  private final Int2ObjectOpenHashMap<ThreadMarks> threads = new Int2ObjectOpenHashMap<>();
  private final PointStates states;
  private final List<WordHistory> words;
  private final long[] sizes;
  private long position;
  private int candidates;
  private int kept;
  private int beyondLimit;
  private int roiDepth;
  private int skipDepth;
  private boolean completed;
  private boolean changed;

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
    this.definitions = definitions;
    this.pools = pools;
    this.declarations = declarations;
    this.rules = rules;
    this.points = points;
    this.redundantLogs = new RedundantLogs(definitions);
    this.memory = new LinePersistence(pools::originalPage, stores, needsFlushes);
    this.states = new PointStates(stores, new CommitSets(declarations), rules.everyImage());
    this.words = declarations.syncWords().stream().map(WordHistory::new).toList();
    this.sizes = pools.all().stream().mapToLong(Pools.Pool::originalSize).toArray();
  }

  /** Plays one event. */
  public void play(Event e) {
    position++;
    EventHandler.dispatch(e, this);
    if (rules.behind().isPresent() && rules.behind().get().contains(position)) {
      point(place(e));
    }
  }

  /** The end of the trace, which is a failure point as well. */
  public void end() {
    if (changed && allowed(false)) {
      point(CrashPoint.END_OF_RUN);
    }
  }

  public StoreLog stores() {
    return stores;
  }

  public RedundantLogs redundantLogs() {
    return redundantLogs;
  }

  /** Ordering points that had work before them. */
  public int candidates() {
    return candidates;
  }

  /** Those that differed from all before them. */
  public int kept() {
    return kept;
  }

  /** Those that differed and were left out because there were too many. */
  public int beyondLimit() {
    return beyondLimit;
  }

  private ThreadMarks marks(Event e) {
    return threads.computeIfAbsent(e.thread(), t -> new ThreadMarks());
  }

  private boolean allowed(boolean inLibrary) {
    boolean interesting = !declarations.hasRegionOfInterest() || roiDepth > 0;
    return rules.behind().isEmpty()
        && interesting
        && skipDepth == 0
        && !completed
        && (!inLibrary || rules.insideLibraries());
  }

  private void ordering(Event e) {
    if (allowed(marks(e).inLibrary)) {
      point(place(e));
    }
  }

  private void point(Place place) {
    candidates++;
    if (!changed) {
      return;
    }
    changed = false;
    LoggedRanges logged = new LoggedRanges();
    threads.values().forEach(t -> logged.addAll(t.logged));
    FailurePoint point =
        new FailurePoint(
            candidates,
            position,
            place,
            memory.snapshot(),
            memory.openLines(),
            logged,
            declarations.writtenVariables().stream()
                .map(v -> CommitWrites.of(v, memory, stores))
                .toList(),
            words.stream().map(WordHistory::copy).toList(),
            sizes.clone());
    if (!states.isNew(point, memory.windowHash())) {
      return;
    }
    if (kept == rules.most()) {
      beyondLimit++;
      return;
    }
    kept++;
    points.accept(point);
  }

  private Place place(Event e) {
    return new Place(
        definitions.site(e.site()),
        e.stack() == 0 ? CallStack.EMPTY : definitions.callStack(e.stack()));
  }

  @Override
  public void map(Event e) {
    Declarations.mapInto(map, e, definitions, pools);
    long at = map.poolAddress(e.address());
    if (at != PoolAddress.NONE) {
      int pool = PoolAddress.pool(at);
      long end = e.payloadLong(8) + e.value();
      long last = Math.max(pools.all().get(pool).finalSize(), sizes[pool]);
      long before = sizes[pool];
      sizes[pool] = Math.max(before, last > 0 ? Math.min(end, last) : end);
      changed |= e.info() == EventInfo.MAP_MEMORY || sizes[pool] != before;
    }
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
    long address = map.poolAddress(e.address());
    if (address == PoolAddress.NONE) {
      return;
    }
    ThreadMarks marks = marks(e);
    if (rules.beforeStores()) {
      ordering(e);
    }
    int flags =
        (marks.inLibrary ? StoreLog.BY_LIBRARY : 0) | (marks.exempt() ? StoreLog.EXEMPT : 0);
    int store = stores.add(e.site(), e.stack(), e.thread(), position, flags);
    if (marks.inLibrary) {
      storeChanges(address, bytes, from, length, store, e.thread(), order);
    } else {
      memory.store(address, bytes, from, length, store, e.thread(), order);
    }
    changed = true;
    PoolRange range = new PoolRange(address, length);
    noteCommit(range);
    noteWord(range, store);
  }

  /** What a library wrote is seen by its effect: bytes that are as they were say nothing. */
  private void storeChanges(
      long address, byte[] bytes, int from, int length, int store, int thread, Order order) {
    for (int i = 0; i < length; ) {
      int n = 0;
      while (i + n < length && !memory.holds(address + i + n, bytes[from + i + n])) {
        n++;
      }
      if (n > 0) {
        memory.store(address + i, bytes, from + i, n, store, thread, order);
      }
      i += Math.max(n, 1);
    }
  }

  private void noteCommit(PoolRange range) {
    for (CommitVariable v : declarations.commitVariables()) {
      if (v.range().overlaps(range)) {
        v.written(position);
      }
    }
  }

  private void noteWord(PoolRange range, int store) {
    for (WordHistory history : words) {
      if (history.word().range().overlaps(range)) {
        history.written(memory.value(history.word().range()), store);
      }
    }
  }

  @Override
  public void flush(Event e) {
    long address = map.poolAddress(e.address());
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
    long address = map.poolAddress(e.address());
    if (address != PoolAddress.NONE) {
      persisted(e, address, e.value());
    }
  }

  private void persisted(Event e, long address, long length) {
    if (memory.isOpen(address, length)) {
      ordering(e);
      memory.persist(address, length);
      changed = true;
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
      changed = true;
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

  @Override
  public void alloc(Event e) {
    long address = map.poolAddress(e.address());
    if (address == PoolAddress.NONE) {
      return;
    }
    ThreadMarks marks = marks(e);
    if (marks.transactionDepth > 0) {
      marks.known.addWhole(address, e.value());
    }
    if (e.info() == 1) {
      memory.persist(address, e.value());
    } else if (e.value() <= LARGEST_MARKED_ALLOCATION) {
      int flags = StoreLog.ALLOCATION | (marks.exempt() ? StoreLog.EXEMPT : 0);
      int store = stores.add(e.site(), e.stack(), e.thread(), position, flags);
      memory.allocate(address, e.value(), store, e.thread());
    }
    changed = true;
  }

  @Override
  public void txBegin(Event e) {
    marks(e).transactionDepth++;
  }

  @Override
  public void txAdd(Event e) {
    long address = map.poolAddress(e.address());
    ThreadMarks marks = marks(e);
    if (address != PoolAddress.NONE && e.value() > 0) {
      if (!marks.exempt()) {
        redundantLogs.added(e, marks.known.covers(address, e.value()));
      }
      marks.known.addWhole(address, e.value());
      marks.adding.add(new PoolRange(address, e.value()));
    }
  }

  @Override
  public void txCommit(Event e) {
    if (marks(e).transactionDepth == 1) {
      marks(e).endTransaction();
      changed = true;
    }
  }

  @Override
  public void txAbort(Event e) {
    marks(e).endTransaction();
  }

  @Override
  public void txEnd(Event e) {
    ThreadMarks marks = marks(e);
    marks.transactionDepth = Math.max(0, marks.transactionDepth - 1);
    if (marks.transactionDepth == 0) {
      marks.endTransaction();
    }
  }

  @Override
  public void libraryEnter(Event e) {
    ThreadMarks marks = marks(e);
    if (changed) {
      ordering(e);
    }
    marks.inLibrary = true;
  }

  @Override
  public void libraryLeave(Event e) {
    ThreadMarks marks = marks(e);
    marks.inLibrary = false;
    if (!marks.adding.isEmpty()) {
      marks.adding.forEach(r -> marks.logged.add(r.address(), r.length(), memory));
      marks.adding.clear();
      changed = true;
    }
  }

  @Override
  public void roiBegin(Event e) {
    roiDepth++;
  }

  @Override
  public void roiEnd(Event e) {
    if (roiDepth == 1 && changed) {
      ordering(e);
    }
    roiDepth = Math.max(0, roiDepth - 1);
  }

  @Override
  public void relaxedBegin(Event e) {
    marks(e).relaxed++;
  }

  @Override
  public void relaxedEnd(Event e) {
    marks(e).relaxed = Math.max(0, marks(e).relaxed - 1);
  }

  @Override
  public void skipDetectionBegin(Event e) {
    marks(e).skipped++;
  }

  @Override
  public void skipDetectionEnd(Event e) {
    marks(e).skipped = Math.max(0, marks(e).skipped - 1);
  }

  @Override
  public void skipFailuresBegin(Event e) {
    skipDepth++;
  }

  @Override
  public void skipFailuresEnd(Event e) {
    skipDepth = Math.max(0, skipDepth - 1);
  }

  @Override
  public void failurePoint(Event e) {
    ordering(e);
  }

  @Override
  public void detectionComplete(Event e) {
    if (changed) {
      ordering(e);
    }
    completed = true;
  }
}
