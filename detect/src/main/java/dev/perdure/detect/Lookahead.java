package dev.perdure.detect;

import dev.perdure.detect.shadow.PmRanges;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.shadow.WordLookup;
import dev.perdure.detect.sync.Locks;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.EventSource;

/** Has the shadow of a batch of events read before they are analysed; see {@link WordLookup}. */
final class Lookahead {
  private final WordLookup words;
  private final Locks locks;
  private final PmRanges pm;
  private final long[] locked = new long[EventSource.BATCH];

  Lookahead(ShadowPm shadow, Locks locks, PmRanges pm) {
    this.words = new WordLookup(shadow, EventSource.BATCH);
    this.locks = locks;
    this.pm = pm;
  }

  WordLookup words() {
    return words;
  }

  /** Reads for the frequent events from a place on; returns the place of the next other event. */
  int read(EventBatch batch, int from) {
    int stores = 0;
    int acquired = 0;
    int i = from;
    words.clear();
    for (; i < batch.size() && FrequentEvents.include(batch.kind(i)); i++) {
      int kind = batch.kind(i);
      long address = batch.address(i);
      if (kind <= EventKind.STORE && pm.contains(address)) {
        words.find(i, address);
        stores += kind - EventKind.LOAD;
      } else {
        words.skip(i);
        if (kind == EventKind.ACQUIRE) {
          locked[acquired++] = address;
        }
      }
    }
    words.read(stores);
    locks.peek(locked, acquired);
    return i;
  }
}
