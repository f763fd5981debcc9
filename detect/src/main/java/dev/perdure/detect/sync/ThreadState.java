package dev.perdure.detect.sync;

/**
 * One thread of the target: its clock, what it knows of the clocks of others by happens-before and,
 * apart from that, by thread create and join alone; its locks; the blocks that it is in.
 *
 * <p>One clock serves both orders: it moves on after every publication (release, create, end), so
 * an event at epoch e of this thread is ordered before whatever knows this thread at e or later.
 */
public final class ThreadState {
  /** Indices below this one are never given to a second thread. */
  public static final int UNIQUE_INDICES = 64;

  private final int number;
  private final int index;
  private final int firstClock;
  private final HeldLocks held;
  private final UnprovenWords unproven = new UnprovenWords();
  private final boolean insideLibraries;
  private final Moments moments;
  private ProcessScope process;
  private int clock;
  private int[] known;
  private boolean knownIsShared;
  private int[] order;
  private int orderNumber = -1;
  private int orderBase;
  private boolean ended;
  private int relaxed;
  private int skipped;
  private int library;
  private boolean exempt;
  private final Publication releaseFence = new Publication();
  private final Publication relaxedReads = new Publication();
  private BarrierRound barrierRound = BarrierRound.NONE;

  ThreadState(
      int number,
      int index,
      int firstClock,
      ProcessScope process,
      Locksets sets,
      boolean insideLibraries,
      Moments moments) {
    this.number = number;
    this.index = index;
    this.firstClock = firstClock;
    this.process = process;
    this.held = new HeldLocks(sets);
    this.insideLibraries = insideLibraries;
    this.moments = moments;
    this.clock = firstClock;
    this.known = Clock.ZERO;
    this.order = Clock.ZERO;
    this.orderBase = firstClock - 1;
  }

  /** The number in the trace. */
  public int number() {
    return number;
  }

  /** The position in vector clocks; a thread may get that of one that was joined before. */
  public int index() {
    return index;
  }

  public int clock() {
    return clock;
  }

  /** Epochs of its index that are smaller belong to earlier threads. */
  public int firstClock() {
    return firstClock;
  }

  public HeldLocks held() {
    return held;
  }

  UnprovenWords unproven() {
    return unproven;
  }

  public ProcessScope process() {
    return process;
  }

  void moveTo(ProcessScope other) {
    process = other;
  }

  /** Whether an event happens before what this thread does now. */
  public boolean knows(int otherIndex, int epoch) {
    return otherIndex == index || Clock.knows(known, otherIndex, epoch);
  }

  boolean knowsAll(int[] vector) {
    for (int i = 0; i < vector.length; i++) {
      if (vector[i] > 0 && !knows(i, vector[i])) {
        return false;
      }
    }
    return true;
  }

  /** The same by thread create and join alone. */
  public boolean orderedAfter(int otherIndex, int epoch) {
    return otherIndex == index || Clock.knows(order, otherIndex, epoch);
  }

  /** Whether it has created a thread: others know its events by create and join order. */
  public boolean hasPublishedOrder() {
    return orderBase >= firstClock;
  }

  /** The clock at the last thread creation: what came after it is equal by create and join. */
  public int orderBase() {
    return orderBase;
  }

  int[] share() {
    knownIsShared = true;
    return known;
  }

  int knownLength() {
    return known.length;
  }

  /** Writes what is known into a longer array. */
  void tell(int[] target, int from) {
    System.arraycopy(known, 0, target, from, known.length);
  }

  void tick() {
    moments.released(index, clock);
    clock++;
  }

  /** It acquires, whether or not there is something to learn. */
  void startRegion() {
    moments.acquired(index);
  }

  void learn(int[] vector, int otherIndex, int epoch) {
    learn(vector, 0, vector.length, otherIndex, epoch);
  }

  /** Learns what a part of an array says. */
  void learn(int[] vector, int from, int length, int otherIndex, int epoch) {
    moments.acquired(index);
    if (knownIsShared) {
      known = known.clone();
      knownIsShared = false;
    }
    known = Clock.raise(known, vector, from, length);
    if (otherIndex >= 0) {
      known = Clock.raise(known, otherIndex, epoch);
    }
  }

  /** The other thread starts with all that this one knows. */
  void creates(ThreadState child) {
    child.learn(known, index, clock);
    child.order = Clock.raise(Clock.raise(child.order.clone(), order), index, clock);
    child.orderNumber = -1;
    orderBase = clock;
    tick();
  }

  void joins(ThreadState child) {
    learn(child.known, child.index, child.clock);
    order = Clock.raise(Clock.raise(order.clone(), child.order), child.index, child.clock);
    orderNumber = -1;
  }

  /** The number of the present create/join clock in the table of those that stores refer to. */
  public int orderNumber(OrderClocks table) {
    if (orderNumber < 0) {
      orderNumber = table.add(order);
    }
    return orderNumber;
  }

  void end() {
    if (!moments.hasReleased(index, clock)) {
      moments.released(index, clock);
    }
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  public void enterRelaxed(int step) {
    relaxed = Math.max(0, relaxed + step);
    judge();
  }

  public void enterSkipped(int step) {
    skipped = Math.max(0, skipped + step);
    judge();
  }

  public void enterLibrary(int step) {
    library = Math.max(0, library + step);
    judge();
  }

  private void judge() {
    exempt = relaxed > 0 || skipped > 0 || library > 0 && !insideLibraries;
  }

  /** Whether loads and stores made now take no part in findings. */
  public boolean isExempt() {
    return exempt || process.outside();
  }

  /** Whether flushes and fences made now are not judged. */
  public boolean operationsAreExempt() {
    return skipped > 0 || library > 0 && !insideLibraries || process.outside();
  }

  Publication releaseFence() {
    return releaseFence;
  }

  Publication relaxedReads() {
    return relaxedReads;
  }

  /** A fence with acquire order: relaxed reads before it synchronise now. */
  public void acquireFence() {
    relaxedReads.teach(this);
    relaxedReads.clear();
  }

  /** A fence with release order: relaxed writes after it publish what is known here. */
  public void publishAtFence() {
    releaseFence.set(this);
  }

  BarrierRound barrierRound() {
    return barrierRound;
  }

  void enterBarrier(BarrierRound round) {
    barrierRound = round;
  }
}
