package dev.perdure.fuzz.coverage;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;

/**
 * Tells accesses to words of PM, and when words become persistent: a flush persists, as in PMRace.
 */
public abstract class WordAccesses implements EventHandler {
  private final int mostPersisted;

  /**
   * @param mostPersisted bytes of one library call that are taken for persistent
   */
  protected WordAccesses(int mostPersisted) {
    this.mostPersisted = mostPersisted;
  }

  /** A word is loaded, stored, or both. */
  protected abstract void access(Event e, long word, boolean load, boolean store);

  /** A word is persistent from here on. */
  protected abstract void persisted(long word);

  @Override
  public final void load(Event e) {
    access(e, true, false);
  }

  @Override
  public void casFailed(Event e) {
    access(e, true, false);
  }

  @Override
  public final void store(Event e) {
    access(e, false, true);
  }

  @Override
  public final void storeNt(Event e) {
    access(e, false, true);
  }

  @Override
  public void rmw(Event e) {
    access(e, true, true);
  }

  private void access(Event e, boolean load, boolean store) {
    access(e, e.address() & -8, load, store);
  }

  @Override
  public final void flush(Event e) {
    long line = e.address() & -64;
    persisted(line, line + 64);
  }

  @Override
  public final void persist(Event e) {
    persisted(e.address() & -64, e.address() + Math.min(e.value(), mostPersisted));
  }

  private void persisted(long from, long to) {
    for (long word = from; word < to; word += 8) {
      persisted(word);
    }
  }
}
