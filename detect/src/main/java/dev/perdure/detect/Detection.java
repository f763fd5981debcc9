package dev.perdure.detect;

import dev.perdure.model.finding.Finding;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventConsumer;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.EventSource;
import dev.perdure.trace.event.Symbols;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Reads a trace and finds persistency races and missing and redundant flushes and fences. Feed it
 * all events, then ask for the findings once.
 *
 * <p>Events are analysed in batches, for which {@link Lookahead} fetches the shadow. Those that
 * come one by one are gathered first.
 */
public final class Detection implements EventConsumer {
  private final FrequentEvents frequent;
  private final RareAccesses accesses;
  private final ThreadEvents threads;
  private final Announcements announcements;
  private final Conclusions conclusions;
  private final Lookahead lookahead;
  private final EventBatch gathered = new EventBatch(EventSource.BATCH);
  private final Event rare = new Event();
  private final ViewedEvents views = new ViewedEvents();

  public Detection(DetectionOptions options) {
    Engines engines = new Engines(options);
    frequent = new FrequentEvents(engines);
    accesses = new RareAccesses(engines);
    threads = new ThreadEvents(engines);
    announcements = new Announcements(engines);
    conclusions = new Conclusions(options, engines);
    lookahead = new Lookahead(engines.shadow, engines.locks, engines.pm);
  }

  /**
   * The findings of the whole trace.
   *
   * @param complete whether the run ended by itself: only then is anything missing
   */
  public List<Finding> finish(Symbols symbols, boolean complete, LongUnaryOperator ticksToNanos) {
    analyse();
    return conclusions.finish(symbols, complete, ticksToNanos);
  }

  /** How often regions of a thread have overlapped those of others so far. */
  public long overlapsOf(int thread) {
    analyse();
    return conclusions.overlapsOf(thread);
  }

  /** Words that behave as locks do, as far as the trace has shown. */
  public List<RecognisedLock> recognisedLocks() {
    analyse();
    return conclusions.recognisedLocks();
  }

  public DetectionStatistics statistics() {
    analyse();
    long events = frequent.count() + accesses.count() + threads.count() + announcements.count();
    return conclusions.statistics(events);
  }

  @Override
  public void accept(Event e) {
    if (views.areNone() && !ViewedEvents.isMapping(e.kind())) {
      gather(e);
    } else {
      views.rewrite(e, this::gather);
    }
  }

  @Override
  public void accept(EventBatch batch) {
    analyse();
    int taken = views.areNone() ? analyse(batch) : 0;
    if (taken < batch.size()) {
      views.rewrite(batch, taken, this::gather);
    }
  }

  private void gather(Event e) {
    gathered.add(e);
    if (gathered.isFull()) {
      analyse();
    }
  }

  private void analyse() {
    if (gathered.size() > 0) {
      for (int i = 0; i < gathered.size(); i++) {
        i = analyseRow(gathered, i);
        if (i < gathered.size()) {
          gathered.get(i, rare);
          handler(rare.kind()).accept(rare);
        }
      }
      gathered.clear();
    }
  }

  /** Who analyses rare events of the kind: kinds have numbers by what they are about. */
  private EventHandler handler(int kind) {
    if (kind < EventKind.ACQUIRE) {
      return accesses;
    }
    return kind < EventKind.MAP ? threads : announcements;
  }

  /** Analyses a batch up to a mapping that makes addresses ambiguous; returns how far that is. */
  private int analyse(EventBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      i = analyseRow(batch, i);
      if (i < batch.size()) {
        if (ViewedEvents.isMapping(batch.kind(i))) {
          return i;
        }
        batch.get(i, rare);
        handler(rare.kind()).accept(rare);
      }
    }
    return batch.size();
  }

  /**
   * Analyses frequent events; returns the place of the next other one. Where there are none, as for
   * the many locks that a program initialises at first, nothing is called that would be compiled
   * for that and have to be compiled again.
   */
  private int analyseRow(EventBatch batch, int from) {
    if (!FrequentEvents.include(batch.kind(from))) {
      return from;
    }
    int to = lookahead.read(batch, from);
    for (int i = from; i < to; i += EventBatch.ROW) {
      frequent.analyse(batch, i, Math.min(to, i + EventBatch.ROW), lookahead.words());
    }
    return to;
  }
}
