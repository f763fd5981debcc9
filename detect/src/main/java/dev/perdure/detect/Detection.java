package dev.perdure.detect;

import dev.perdure.model.finding.Finding;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.Symbols;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Reads a trace and finds persistency races and missing and redundant flushes and fences. Feed it
 * all events, then ask for the findings once.
 *
 * <p>The frequent events are gathered into batches, for which {@link Lookahead} fetches the shadow;
 * all others are analysed at once, after those that came before.
 */
public final class Detection implements EventHandler {
  private final Analysis analysis;
  private final Lookahead lookahead;
  private final EventBatch batch = new EventBatch();

  public Detection(DetectionOptions options) {
    analysis = new Analysis(options);
    lookahead = analysis.lookahead();
  }

  /**
   * The findings of the whole trace.
   *
   * @param complete whether the run ended by itself: only then is anything missing
   */
  public List<Finding> finish(Symbols symbols, boolean complete, LongUnaryOperator ticksToNanos) {
    analyse();
    return analysis.finish(symbols, complete, ticksToNanos);
  }

  /** Pairs of a store and a load whose regions have overlapped so far. */
  public int overlappingPairs() {
    analyse();
    return analysis.overlappingPairs();
  }

  /** Words that behave as locks do, as far as the trace has shown. */
  public List<RecognisedLock> recognisedLocks() {
    analyse();
    return analysis.recognisedLocks();
  }

  public DetectionStatistics statistics() {
    analyse();
    return analysis.statistics();
  }

  @Override
  public void load(Event e) {
    gather(e);
  }

  @Override
  public void store(Event e) {
    gather(e);
  }

  @Override
  public void storeNt(Event e) {
    analyse();
    analysis.storeNt(e);
  }

  @Override
  public void rmw(Event e) {
    analyse();
    analysis.rmw(e);
  }

  @Override
  public void casFailed(Event e) {
    analyse();
    analysis.casFailed(e);
  }

  @Override
  public void loadBlock(Event e) {
    analyse();
    analysis.loadBlock(e);
  }

  @Override
  public void storeBlock(Event e) {
    analyse();
    analysis.storeBlock(e);
  }

  @Override
  public void storeNtBlock(Event e) {
    analyse();
    analysis.storeNtBlock(e);
  }

  @Override
  public void flush(Event e) {
    gather(e);
  }

  @Override
  public void fence(Event e) {
    gather(e);
  }

  @Override
  public void persist(Event e) {
    analyse();
    analysis.persist(e);
  }

  @Override
  public void acquire(Event e) {
    gather(e);
  }

  @Override
  public void release(Event e) {
    gather(e);
  }

  @Override
  public void barrierInit(Event e) {
    analyse();
    analysis.barrierInit(e);
  }

  @Override
  public void barrierEnter(Event e) {
    analyse();
    analysis.barrierEnter(e);
  }

  @Override
  public void barrierLeave(Event e) {
    analyse();
    analysis.barrierLeave(e);
  }

  @Override
  public void semPost(Event e) {
    analyse();
    analysis.semPost(e);
  }

  @Override
  public void semWait(Event e) {
    analyse();
    analysis.semWait(e);
  }

  @Override
  public void onceDone(Event e) {
    analyse();
    analysis.onceDone(e);
  }

  @Override
  public void oncePass(Event e) {
    analyse();
    analysis.oncePass(e);
  }

  @Override
  public void syncDestroy(Event e) {
    analyse();
    analysis.syncDestroy(e);
  }

  @Override
  public void threadBegin(Event e) {
    analyse();
    analysis.threadBegin(e);
  }

  @Override
  public void threadCreate(Event e) {
    analyse();
    analysis.threadCreate(e);
  }

  @Override
  public void threadEnd(Event e) {
    analyse();
    analysis.threadEnd(e);
  }

  @Override
  public void threadJoin(Event e) {
    analyse();
    analysis.threadJoin(e);
  }

  @Override
  public void threadDetach(Event e) {
    analyse();
    analysis.threadDetach(e);
  }

  @Override
  public void processBegin(Event e) {
    analyse();
    analysis.processBegin(e);
  }

  @Override
  public void processFork(Event e) {
    analyse();
    analysis.processFork(e);
  }

  @Override
  public void map(Event e) {
    analyse();
    analysis.map(e);
  }

  @Override
  public void unmap(Event e) {
    analyse();
    analysis.unmap(e);
  }

  @Override
  public void pmRange(Event e) {
    analyse();
    analysis.pmRange(e);
  }

  @Override
  public void alloc(Event e) {
    analyse();
    analysis.alloc(e);
  }

  @Override
  public void free(Event e) {
    analyse();
    analysis.free(e);
  }

  @Override
  public void libraryEnter(Event e) {
    analyse();
    analysis.libraryEnter(e);
  }

  @Override
  public void libraryLeave(Event e) {
    analyse();
    analysis.libraryLeave(e);
  }

  @Override
  public void roiBegin(Event e) {
    analyse();
    analysis.roiBegin(e);
  }

  @Override
  public void roiEnd(Event e) {
    analyse();
    analysis.roiEnd(e);
  }

  @Override
  public void relaxedBegin(Event e) {
    analyse();
    analysis.relaxedBegin(e);
  }

  @Override
  public void relaxedEnd(Event e) {
    analyse();
    analysis.relaxedEnd(e);
  }

  @Override
  public void skipDetectionBegin(Event e) {
    analyse();
    analysis.skipDetectionBegin(e);
  }

  @Override
  public void skipDetectionEnd(Event e) {
    analyse();
    analysis.skipDetectionEnd(e);
  }

  @Override
  public void syncVar(Event e) {
    analyse();
    analysis.syncVar(e);
  }

  @Override
  public void label(Event e) {
    gather(e);
  }

  @Override
  public void labelUnion(Event e) {
    gather(e);
  }

  @Override
  public void effect(Event e) {
    analyse();
    analysis.effect(e);
  }

  private void gather(Event e) {
    if (analysis.gather(e, batch)) {
      analyse();
    }
  }

  private void analyse() {
    lookahead.read(batch);
    analysis.analyse(batch, lookahead.words());
    batch.clear();
  }
}
