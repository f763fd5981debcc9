package dev.perdure.detect;

import dev.perdure.detect.calm.CalmLines;
import dev.perdure.detect.finding.FindingWriter;
import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.flush.MissingOperations;
import dev.perdure.detect.flush.Operations;
import dev.perdure.detect.flush.RedundantOperations;
import dev.perdure.detect.hb.HappensBefore;
import dev.perdure.detect.lockset.LocksetAnalysis;
import dev.perdure.detect.observed.ObservedReads;
import dev.perdure.detect.regions.OpenRegions;
import dev.perdure.detect.regions.RegionOverlap;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.detect.shadow.Access;
import dev.perdure.detect.shadow.Accesses;
import dev.perdure.detect.shadow.Blocks;
import dev.perdure.detect.shadow.LineHistory;
import dev.perdure.detect.shadow.PendingFlushes;
import dev.perdure.detect.shadow.Persistence;
import dev.perdure.detect.shadow.PmRanges;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.shadow.StoreKind;
import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.shadow.Word;
import dev.perdure.detect.shadow.WordLookup;
import dev.perdure.detect.sync.AtomicWord;
import dev.perdure.detect.sync.LockRegistry;
import dev.perdure.detect.sync.Locks;
import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Moments;
import dev.perdure.detect.sync.OrderClocks;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.Rendezvous;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.detect.sync.Threads;
import dev.perdure.detect.taint.TaintAnalysis;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import dev.perdure.trace.event.Symbols;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * What each event means: synchronisation first or last, as it acquires or releases, and in between
 * what it does to persistent memory.
 */
final class Analysis implements EventHandler {
  private static final boolean[] FREQUENT = new boolean[EventKind.REGION_START + 1];

  static {
    FREQUENT[EventKind.LOAD] = true;
    FREQUENT[EventKind.STORE] = true;
    FREQUENT[EventKind.FLUSH] = true;
    FREQUENT[EventKind.FENCE] = true;
    FREQUENT[EventKind.ACQUIRE] = true;
    FREQUENT[EventKind.RELEASE] = true;
    FREQUENT[EventKind.LABEL] = true;
    FREQUENT[EventKind.LABEL_UNION] = true;
    FREQUENT[EventKind.REGION_START] = true;
  }

  private final DetectionOptions options;
  private final boolean findsRaces;
  private final boolean judgesOperations;
  private final boolean followsData;
  private final boolean opensRegions;
  private final boolean knowsCalm;
  private final TaintAnalysis taint;
  private final Origins origins = new Origins();
  private final Locksets sets = new Locksets();
  private final LockRegistry registry = new LockRegistry();
  private final OrderClocks orders = new OrderClocks();
  private final Moments moments = new Moments();
  private final OpenRegions openRegions = new OpenRegions(moments);
  private final Threads threads;
  private final Locks locks;
  private final Rendezvous rendezvous = new Rendezvous();
  private final Synchronisation synchronisation = new Synchronisation(registry);
  private final PmRanges pm = new PmRanges();
  private boolean hasPm;
  private final PendingFlushes pending = new PendingFlushes();
  private final ShadowPm shadow;
  private final Persistence persistence;
  private final Accesses accesses;
  private final CalmLines calm;
  private final Blocks blocks;
  private final RaceFindings races;
  private final RaceCheck raceCheck;
  private final LocksetAnalysis locksetRule;
  private final HappensBefore hbRule = new HappensBefore();
  private final ObservedReads observedRule;
  private final RegionOverlap regionRule;
  private final Operations flushes = new Operations();
  private final Operations fences = new Operations();
  private final Access access = new Access();
  private long events;

  Analysis(DetectionOptions options) {
    this.options = options;
    boolean hasWindows = options.domain().cachesAreVolatile();
    boolean keepsClosed =
        options.has(Detector.LOCKSET)
            || options.has(Detector.HB)
            || options.has(Detector.REGIONS)
            || options.has(Detector.TAINT);
    findsRaces = hasWindows && (keepsClosed || options.has(Detector.OBSERVED));
    followsData = hasWindows && options.has(Detector.TAINT);
    opensRegions =
        hasWindows && options.has(Detector.REGIONS) && options.starts() == RegionStart.STATIC;
    knowsCalm = hasWindows && keepsClosed && !followsData && !opensRegions;
    judgesOperations = hasWindows && options.has(Detector.FLUSH);
    threads = new Threads(sets, options.insideLibraries(), pending::isEmpty, moments);
    locks = new Locks(registry, threads);
    shadow = new ShadowPm(origins, threads, sets, pending, !followsData);
    locksetRule = new LocksetAnalysis(sets, orders, threads, shadow.windows());
    observedRule = new ObservedReads(shadow.windows());
    regionRule =
        new RegionOverlap(
            options.regions(), options.starts(), openRegions, moments, shadow.windows(), threads);
    races =
        new RaceFindings(
            shadow.windows(), origins, threads, sets, registry, synchronisation::isLock);
    taint = new TaintAnalysis(shadow, observedRule, races, synchronisation::isLock);
    raceCheck =
        new RaceCheck(
            options, shadow, locksetRule, hbRule, observedRule, regionRule, races, synchronisation);
    persistence =
        new Persistence(shadow, orders, raceCheck, hasWindows, options.initRemoval(), keepsClosed);
    accesses = new Accesses(shadow, persistence, raceCheck);
    calm =
        new CalmLines(
            shadow, persistence, accesses, new LineHistory(shadow, threads, this::effective));
    persistence.setUnmadeLines(calm);
    blocks = new Blocks(shadow, persistence, orders, raceCheck, hasWindows);
  }

  /** The thread of a rare event, with which its visits to calm lines are over. */
  private ThreadState thread(Event e) {
    ThreadState t = staying(e);
    calm.settle(t);
    return t;
  }

  /** The thread of an event that may be part of its visits to calm lines. */
  private ThreadState staying(Event e) {
    events++;
    return threads.of(e.thread());
  }

  /** The effective lockset of windows that were opened and ended under a lockset. */
  private int effective(int lockset) {
    return options.has(Detector.LOCKSET) ? sets.exclusive(lockset) : Locksets.EMPTY;
  }

  private int origin(Event e) {
    return origins.of(e.site(), e.stack());
  }

  private Access access(ThreadState t, Event e) {
    return access.set(t, origin(e), e.time());
  }

  private boolean fence(ThreadState t, Event e) {
    return fence(t, origin(e), e.time());
  }

  private boolean fence(ThreadState t, int origin, long time) {
    boolean needed = calm.fence(t, origin, time);
    return !pending.isEmpty(t.index()) && persistence.fence(t, origin, time) || needed;
  }

  /** Whether events of the kind are analysed from batches. */
  static boolean isFrequent(int kind) {
    return kind < FREQUENT.length && FREQUENT[kind];
  }

  /** Analyses a row of frequent events. */
  void analyse(EventBatch batch, int from, int to, WordLookup words) {
    events += to - from;
    for (int i = from; i < to; i++) {
      ThreadState t = threads.of(batch.thread(i));
      int kind = batch.kind(i);
      int info = batch.info(i);
      long address = batch.address(i);
      if (kind == EventKind.ACQUIRE) {
        acquire(t, info, batch, i);
        continue;
      }
      if (kind == EventKind.RELEASE) {
        release(t, info, batch, i);
        continue;
      }
      int origin = origins.of(batch.site(i), batch.stack(i));
      long time = batch.time(i);
      long value = batch.value(i);
      if (kind <= EventKind.STORE
          && isCalm(info)
          && pm.contains(address)
          && calm.access(t, origin, time, kind == EventKind.STORE, address, info & 31, value)) {
        continue;
      }
      access.set(t, origin, time);
      switch (kind) {
        case EventKind.LOAD -> {
          access.expect(address, words, i);
          load(info, address, value);
        }
        case EventKind.STORE -> {
          access.expect(address, words, i);
          store(info, address, value);
        }
        case EventKind.FLUSH -> flush(info, address, value);
        case EventKind.FENCE -> fence(info);
        case EventKind.LABEL -> label(address, value);
        case EventKind.LABEL_UNION -> labelUnion(address, value);
        default -> open(t, info == EventInfo.REGION_STORE, address, value);
      }
    }
  }

  /** A region starts here: it is announced, or an access is made. */
  private void open(ThreadState t, boolean store, long address, long length) {
    if (opensRegions && !t.isExempt() && pm.contains(address)) {
      openRegions.open(t, store, address, length);
    }
  }

  private void stored(ThreadState t, long address, long length) {
    if (opensRegions && !t.isExempt()) {
      openRegions.stored(t, address, length);
    }
  }

  private void label(long address, long value) {
    if (followsData) {
      taint.label(access.thread(), address, value);
    }
  }

  private void labelUnion(long label, long parts) {
    if (followsData) {
      taint.union(label, parts);
    }
  }

  private boolean fence() {
    return fence(access.thread(), access.origin(), access.time());
  }

  private void load(int info, long address, long value) {
    synchronisation.load(access.thread(), address, value, info >>> 5);
    if (findsRaces && pm.contains(address)) {
      int size = info & 31;
      open(access.thread(), false, address, size);
      if (size <= 8) {
        accesses.load(access, address, size, value);
      } else {
        accesses.loadBytes(access, address, size);
      }
      follow(access.thread(), access.origin(), access.time(), address, size, value, size <= 8);
    }
  }

  /** Whether an access of that kind may be part of a visit to a calm line. */
  private boolean isCalm(int info) {
    return knowsCalm && !MemoryOrder.atomic(info >>> 5) && (info & 31) <= 8;
  }

  private void store(int info, long address, long value) {
    ThreadState t = access.thread();
    int order = info >>> 5;
    int size = info & 31;
    boolean inPm = pm.contains(address);
    if (!inPm || MemoryOrder.atomic(order)) {
      calm.settle(t);
    }
    if (order == MemoryOrder.SEQ_CST) {
      // x86 stores with that order by xchg, which is a fence.
      fence();
    }
    boolean atomic = MemoryOrder.atomic(order);
    if (inPm) {
      StoreKind kind = atomic ? StoreKind.ATOMIC : StoreKind.PLAIN;
      open(t, true, address, size);
      accesses.store(access, address, size, value, kind);
      stored(t, address, size);
    }
    if ((atomic || !inPm) && synchronisation.store(t, address, size, value, order) && inPm) {
      accesses.markAtomic(address);
    }
  }

  private void flush(int info, long address, long length) {
    if (!pm.contains(address)) {
      return;
    }
    ThreadState t = access.thread();
    boolean ordered = info == EventInfo.FLUSH_CLFLUSH;
    long end = address + Math.max(1, length);
    boolean needed = persistence.flush(t, access.origin(), access.time(), address, end, ordered);
    if (judgesOperations && !t.operationsAreExempt()) {
      flushes.count(access.origin(), needed);
    }
  }

  private void fence(int info) {
    ThreadState t = access.thread();
    switch (info) {
      case EventInfo.FENCE_ACQUIRE -> t.acquireFence();
      case EventInfo.FENCE_RELEASE -> {
        calm.settle(t);
        t.publishAtFence();
      }
      case EventInfo.FENCE_ACQ_REL -> languageFence(t);
      case EventInfo.FENCE_MFENCE, EventInfo.FENCE_LOCKED -> {
        fence();
        languageFence(t);
      }
      default -> {
        boolean needed = fence();
        if (judgesOperations && !t.operationsAreExempt()) {
          fences.count(access.origin(), needed);
        }
      }
    }
  }

  private void languageFence(ThreadState t) {
    calm.settle(t);
    t.acquireFence();
    t.publishAtFence();
  }

  private void acquire(ThreadState t, int info, EventBatch batch, int i) {
    boolean shared = (info & EventInfo.LOCK_SHARED) != 0;
    calm.settle(t);
    if ((info & EventInfo.LOCK_OWNER_DIED) != 0) {
      locks.ownerDied(t, batch.address(i));
    }
    boolean outermost = locks.acquire(t, batch.address(i), shared);
    if (outermost && (info & EventInfo.LOCK_NO_FENCE) == 0 && isPending(t)) {
      fence(t, origins.of(batch.site(i), batch.stack(i)), batch.time(i));
    }
  }

  private void release(ThreadState t, int info, EventBatch batch, int i) {
    long address = batch.address(i);
    if ((info & EventInfo.LOCK_NO_FENCE) == 0 && isPending(t) && locks.isOutermost(t, address)) {
      fence(t, origins.of(batch.site(i), batch.stack(i)), batch.time(i));
    }
    calm.settle(t);
    locks.release(t, address);
  }

  /** Whether a fence of the thread may have something to wait for. */
  private boolean isPending(ThreadState t) {
    return !pending.isEmpty(t.index()) || calm.isPending(t);
  }

  @Override
  public void loadBlock(Event e) {
    ThreadState t = thread(e);
    Access access = access(t, e);
    if (findsRaces && pm.contains(e.address())) {
      open(t, false, e.address(), e.value());
      accesses.loadBytes(access, e.address(), e.value());
      follow(t, access.origin(), e.time(), e.address(), e.value(), 0, false);
    }
  }

  private void follow(
      ThreadState t, int origin, long time, long address, long length, long value, boolean known) {
    if (followsData) {
      taint.load(t, origin, time, address, length, value, known);
    }
  }

  @Override
  public void effect(Event e) {
    ThreadState t = thread(e);
    if (followsData) {
      taint.effect(t, e, origin(e));
    }
  }

  @Override
  public void storeNt(Event e) {
    Access access = access(thread(e), e);
    if (pm.contains(e.address())) {
      open(access.thread(), true, e.address(), e.size());
      accesses.store(access, e.address(), e.size(), e.value(), StoreKind.NON_TEMPORAL);
      stored(access.thread(), e.address(), e.size());
    }
  }

  @Override
  public void storeBlock(Event e) {
    storeBytes(e, StoreKind.PLAIN);
  }

  @Override
  public void storeNtBlock(Event e) {
    storeBytes(e, StoreKind.NON_TEMPORAL);
  }

  private void storeBytes(Event e, StoreKind kind) {
    Access access = access(thread(e), e);
    if (pm.contains(e.address())) {
      open(access.thread(), true, e.address(), e.value());
      accesses.storeBytes(access, e.address(), e.value(), e, 0, kind);
      stored(access.thread(), e.address(), e.value());
    }
  }

  @Override
  public void rmw(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    long old = e.oldValue();
    long value = e.newValue();
    AtomicWord word = synchronisation.read(t, e.address(), e.size(), old, e.order());
    if (pm.contains(e.address())) {
      accesses.markAtomic(e.address());
      loadOfRmw(t, e, old);
      open(t, true, e.address(), e.size());
      if (e.size() <= 8) {
        accesses.store(access(t, e), e.address(), e.size(), value, StoreKind.ATOMIC);
      } else {
        accesses.storeBytes(access(t, e), e.address(), e.size(), e, 16, StoreKind.ATOMIC);
      }
      stored(t, e.address(), e.size());
    }
    boolean takes = e.value() == EventInfo.RMW_CAS || e.value() == EventInfo.RMW_EXCHANGE;
    synchronisation.write(t, e.site(), word, old, value, takes, e.order());
  }

  @Override
  public void casFailed(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    synchronisation.load(t, e.address(), e.value(), e.order());
    if (pm.contains(e.address())) {
      loadOfRmw(t, e, e.value());
    }
  }

  private void loadOfRmw(ThreadState t, Event e, long value) {
    open(t, false, e.address(), e.size());
    if (findsRaces && e.size() <= 8) {
      accesses.load(access(t, e), e.address(), e.size(), value);
    } else if (findsRaces) {
      accesses.loadBytes(access(t, e), e.address(), e.size());
    }
    follow(t, origin(e), e.time(), e.address(), e.size(), value, e.size() <= 8);
  }

  @Override
  public void persist(Event e) {
    ThreadState t = staying(e);
    boolean byLibrary = e.info() == EventInfo.PERSIST_LIBRARY || e.info() == EventInfo.PERSIST_DEEP;
    if (pm.contains(e.address())) {
      int origin = origin(e);
      boolean needed = persistence.persist(t, origin, e.time(), e.address(), e.value());
      if (byLibrary && judgesOperations && !t.operationsAreExempt()) {
        flushes.count(origin, needed);
      }
    }
    if (byLibrary) {
      fence(t, e);
    }
  }

  @Override
  public void barrierInit(Event e) {
    thread(e);
    rendezvous.initBarrier(e.address(), e.value());
  }

  @Override
  public void barrierEnter(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    rendezvous.enterBarrier(t, e.address());
  }

  @Override
  public void barrierLeave(Event e) {
    ThreadState t = thread(e);
    rendezvous.leaveBarrier(t);
    fence(t, e);
  }

  @Override
  public void semPost(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    rendezvous.publish(t, e.address());
  }

  @Override
  public void semWait(Event e) {
    ThreadState t = thread(e);
    rendezvous.receive(t, e.address());
    fence(t, e);
  }

  @Override
  public void onceDone(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    rendezvous.publish(t, e.address());
  }

  @Override
  public void oncePass(Event e) {
    rendezvous.receive(thread(e), e.address());
  }

  @Override
  public void syncDestroy(Event e) {
    thread(e);
    locks.destroy(e.address());
    rendezvous.destroy(e.address());
  }

  @Override
  public void threadBegin(Event e) {
    events++;
    if (e.address() != 0) {
      // Where its creation was not seen, the creator's clock moves on.
      calm.settle(threads.of((int) e.address()));
    }
    threads.begin((int) e.value(), (int) e.address());
    threads.of((int) e.value());
  }

  @Override
  public void threadCreate(Event e) {
    ThreadState t = thread(e);
    fence(t, e);
    threads.create(t, (int) e.value());
  }

  @Override
  public void threadEnd(Event e) {
    threads.end(thread(e));
  }

  @Override
  public void threadJoin(Event e) {
    ThreadState t = thread(e);
    calm.settle(threads.of((int) e.value()));
    threads.join(t, (int) e.value());
    if (e.info() != EventInfo.JOINED_PROCESS) {
      fence(t, e);
    }
  }

  @Override
  public void threadDetach(Event e) {
    thread(e);
    threads.detach((int) e.value());
  }

  @Override
  public void processBegin(Event e) {
    threads.enterProcess(thread(e), (int) e.value());
  }

  @Override
  public void processFork(Event e) {
    threads.create(thread(e), (int) e.value());
  }

  @Override
  public void map(Event e) {
    thread(e);
    hasPm = true;
    pm.add(e.address(), e.value());
  }

  @Override
  public void pmRange(Event e) {
    thread(e);
    hasPm = true;
    pm.add(e.address(), e.value());
  }

  @Override
  public void unmap(Event e) {
    thread(e);
    calm.settleAll();
    pm.remove(e.address(), e.value());
  }

  @Override
  public void alloc(Event e) {
    ThreadState t = thread(e);
    if (pm.contains(e.address())) {
      blocks.allocate(t, origin(e), e.time(), e.address(), e.value(), (e.info() & 1) != 0);
      taint.transactions().add(t.number(), e.address(), e.value());
    }
  }

  @Override
  public void txBegin(Event e) {
    taint.transactions().begin(thread(e).number());
  }

  @Override
  public void txAdd(Event e) {
    taint.transactions().add(thread(e).number(), e.address(), e.value());
  }

  @Override
  public void txEnd(Event e) {
    taint.transactions().end(thread(e).number());
  }

  @Override
  public void free(Event e) {
    thread(e);
    if (pm.contains(e.address())) {
      blocks.free(e.address(), e.value());
    }
  }

  @Override
  public void libraryEnter(Event e) {
    thread(e).enterLibrary(1);
  }

  @Override
  public void libraryLeave(Event e) {
    thread(e).enterLibrary(-1);
  }

  @Override
  public void relaxedBegin(Event e) {
    thread(e).enterRelaxed(1);
  }

  @Override
  public void relaxedEnd(Event e) {
    thread(e).enterRelaxed(-1);
  }

  @Override
  public void skipDetectionBegin(Event e) {
    thread(e).enterSkipped(1);
  }

  @Override
  public void skipDetectionEnd(Event e) {
    thread(e).enterSkipped(-1);
  }

  @Override
  public void roiBegin(Event e) {
    ThreadState t = thread(e);
    calm.settleAll();
    if (t.process().openRegion()) {
      calm.makeAll();
      int process = t.process().number();
      shadow.exempt(index -> threads.at(index).process().number() == process);
      races.dropProcess(process);
      flushes.clear();
      fences.clear();
    }
  }

  @Override
  public void roiEnd(Event e) {
    calm.settleAll();
    thread(e).process().closeRegion();
  }

  @Override
  public void syncVar(Event e) {
    thread(e);
    synchronisation.declare(e.address(), e.value());
  }

  /**
   * The findings of the whole trace.
   *
   * @param complete whether the run ended by itself: only then is anything missing
   */
  List<Finding> finish(Symbols symbols, boolean complete, LongUnaryOperator ticksToNanos) {
    calm.settleAll();
    MissingOperations missing = new MissingOperations(shadow.windows(), synchronisation::isLock);
    if (complete && options.domain().cachesAreVolatile()) {
      shadow.forEachWord((a, w) -> judgeOpen(a, w, missing));
    }
    FindingWriter writer = new FindingWriter(symbols, origins, threads, ticksToNanos);
    writer.addRaces(races, options.has(Detector.HB));
    writer.addIntra(taint.ownEffects());
    writer.addMissing(missing, shadow.windows());
    writer.addRedundant(
        FindingKind.REDUNDANT_FLUSH, RedundantOperations.find(flushes, origins, symbols));
    if (hasPm || shadow.ownership().touchedBytes() > 0) {
      // Where no persistent memory is known of, as without --pm, a fence may well have had
      // something to wait for.
      writer.addRedundant(
          FindingKind.REDUNDANT_FENCE, RedundantOperations.find(fences, origins, symbols));
    }
    return writer.all();
  }

  private void judgeOpen(int[] a, int w, MissingOperations missing) {
    Windows windows = shadow.windows();
    for (int window = Word.open(a, w); window != 0; window = windows.next(window)) {
      raceCheck.neverEnded(a, w, window);
      if (judgesOperations) {
        missing.judge(window, Word.granule(a, w));
      }
    }
  }

  long overlapsOf(int thread) {
    return races.overlapsOf(threads.of(thread).index());
  }

  List<RecognisedLock> recognisedLocks() {
    return synchronisation.recognisedLocks();
  }

  DetectionStatistics statistics() {
    Map<String, Long> rules = new LinkedHashMap<>();
    rules.put("effective locksets", locksetRule.effectiveLocksets());
    rules.put("ordered by create and join", locksetRule.ordered());
    rules.put("lockset intersections", locksetRule.intersections());
    rules.put("empty intersections", locksetRule.emptyIntersections());
    rules.put("overlapping regions", regionRule.overlaps());
    rules.put("initialisation removed", persistence.removedWindows());
    rules.put("window end happens before load", hbRule.windowBeforeLoad());
    rules.put("window end unordered with load", hbRule.windowRaces());
    rules.put("load happens before store", hbRule.loadBeforeStore());
    rules.put("load unordered with store", hbRule.loadRaces());
    rules.put("observed reads", observedRule.observed());
    rules.put("reads of other values", observedRule.otherValue());
    rules.put("durable effects", taint.effects());
    return new DetectionStatistics(
        events, threads.count(), shadow.ownership().touchedBytes(), rules);
  }

  /** What reads ahead for this analysis. */
  Lookahead lookahead() {
    return new Lookahead(shadow, locks, pm);
  }
}
