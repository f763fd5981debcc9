package dev.perdure.fuzz.failure;

import dev.perdure.fuzz.coverage.WordAccesses;
import dev.perdure.trace.event.Event;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which words threads waited for when a trace ended: those of a thread that read nothing but a few
 * words for a while, and changed none of them.
 */
final class SpinningThreads extends WordAccesses {
  private static final int READS = 64;
  private static final int FEW_WORDS = 8;

  private final Map<Integer, Reading> threads = new HashMap<>();
  private final Long2ObjectOpenHashMap<Step> changes = new Long2ObjectOpenHashMap<>();

  /**
   * A step of the program.
   *
   * @param stack the number of the calls that led there
   */
  record Step(int site, int stack) {}

  /** What a thread has read since it last changed something, or read something else. */
  private static final class Reading {
    final LongSet words = new LongOpenHashSet();
    int reads;
    long last;

    /** The word that it tried to exchange last; 0 if it only reads. */
    long tried;
  }

  SpinningThreads() {
    super(0);
  }

  @Override
  public void threadEnd(Event e) {
    threads.remove(e.thread());
  }

  @Override
  public void casFailed(Event e) {
    super.casFailed(e);
    reading(e).tried = word(e);
  }

  @Override
  public void rmw(Event e) {
    if (e.oldValue() == e.newValue()) {
      casFailed(e);
    } else {
      super.rmw(e);
    }
  }

  @Override
  protected void access(Event e, long word, boolean load, boolean store) {
    if (store) {
      threads.remove(e.thread());
      changes.put(word, new Step(e.site(), e.stack()));
      return;
    }
    Reading reading = reading(e);
    if (reading.words.add(word) && reading.words.size() > FEW_WORDS) {
      threads.remove(e.thread());
      return;
    }
    reading.reads++;
    reading.last = word;
  }

  @Override
  protected void persisted(long word) {
    // Who waits does not flush.
  }

  private Reading reading(Event e) {
    return threads.computeIfAbsent(e.thread(), t -> new Reading());
  }

  private static long word(Event e) {
    return e.address() & -8;
  }

  /** The last change of the word that most threads wait for; empty if nobody spins. */
  Optional<Step> waitedFor() {
    Map<Step, Integer> waiting = new HashMap<>();
    for (Reading reading : threads.values()) {
      Step change = changes.get(reading.tried != 0 ? reading.tried : reading.last);
      if (reading.reads >= READS && change != null) {
        waiting.merge(change, 1, Integer::sum);
      }
    }
    return waiting.entrySet().stream()
        .max(Map.Entry.<Step, Integer>comparingByValue().thenComparing(e -> -e.getKey().site()))
        .map(Map.Entry::getKey);
  }
}
