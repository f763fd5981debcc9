package dev.perdure.fuzz.validation;

import dev.perdure.detect.RecognisedLock;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds in a trace where lock words are taken: of each site that has not been looked at yet, the
 * first store that leaves a word with another value than after a restart.
 */
final class LockTakings implements EventHandler {
  private final Long2ObjectOpenHashMap<Word> words = new Long2ObjectOpenHashMap<>();
  private final Set<Integer> judged;
  private final TreeMap<Long, Integer> siteByPosition = new TreeMap<>();
  private final Set<Integer> found = new TreeSet<>();
  private long position;

  private record Word(int size, long initial, long bits) {}

  /**
   * @param judged sites that need no more attention
   */
  LockTakings(List<RecognisedLock> locks, Set<Integer> judged) {
    this.judged = judged;
    locks.forEach(l -> words.put(l.address(), new Word(l.size(), l.free(), l.bits())));
  }

  /** Where words are taken: numbers of events, counted from 1, at most so many. */
  Set<Long> positions(int most) {
    return new TreeSet<>(siteByPosition.keySet().stream().limit(most).toList());
  }

  /** The sites of {@link #positions}. */
  List<Integer> sites(int most) {
    return siteByPosition.values().stream().limit(most).toList();
  }

  /** Looks at the next event of the trace. */
  void next(Event e) {
    position++;
    EventHandler.dispatch(e, this);
  }

  @Override
  public void syncVar(Event e) {
    words.put(e.address(), new Word((int) e.value(), e.payloadLong(0), -1));
  }

  @Override
  public void store(Event e) {
    written(e, e.value());
  }

  @Override
  public void storeNt(Event e) {
    written(e, e.value());
  }

  @Override
  public void rmw(Event e) {
    written(e, e.newValue());
  }

  private void written(Event e, long value) {
    Word word = words.get(e.address());
    if (word == null || e.size() < word.size || word.size > 8 || e.size() > 8) {
      return;
    }
    long own = word.size == 8 ? -1 : (1L << 8 * word.size) - 1;
    boolean taken = ((value ^ word.initial) & own & word.bits) != 0;
    if (taken && !judged.contains(e.site()) && found.add(e.site())) {
      siteByPosition.put(position, e.site());
    }
  }
}
