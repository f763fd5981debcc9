package dev.perdure.detect.shadow;

import dev.perdure.detect.sync.ThreadState;

/**
 * Who makes the access that is being carried out, where and when; for all words that it reaches.
 * One object serves a trace.
 */
public final class Access {
  private ThreadState thread;
  private int origin;
  private long time;
  private long wordAddress = -1;
  private int word;

  public Access set(ThreadState newThread, int newOrigin, long newTime) {
    thread = newThread;
    origin = newOrigin;
    time = newTime;
    wordAddress = -1;
    return this;
  }

  /** The word of the address was looked up before; see {@link WordLookup}. */
  public void expect(long address, WordLookup lookup, int i) {
    word = lookup.word(i);
    wordAddress = word == 0 ? -1 : address & -8;
  }

  public ThreadState thread() {
    return thread;
  }

  public int origin() {
    return origin;
  }

  public long time() {
    return time;
  }

  /** Whether the word is known for that address. */
  boolean expects(long address) {
    return address == wordAddress;
  }

  int word() {
    return word;
  }
}
