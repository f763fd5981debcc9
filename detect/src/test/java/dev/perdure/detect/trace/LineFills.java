package dev.perdure.detect.trace;

import java.util.Random;
import java.util.function.IntToLongFunction;

/** What programs do that initialise structures: lines are filled word by word, or in part. */
final class LineFills {
  /** Lines that nobody else comes to. */
  private static final long FAR = Trace.PM + (1 << 22);

  private final Trace trace;
  private final Random random;
  private final int sites;

  LineFills(Trace trace, Random random, int sites) {
    this.trace = trace;
    this.random = random;
    this.sites = sites;
  }

  /** All words of a line, by one place in the program or several in turn. */
  void line(long line, IntToLongFunction value) {
    words(line, 0xff, value);
  }

  private void words(long line, int which, IntToLongFunction value) {
    int first = 1 + random.nextInt(sites);
    int places = 1 + random.nextInt(3);
    boolean upwards = random.nextInt(3) > 0;
    for (int i = 0; i < 8; i++) {
      int word = upwards ? i : 7 - i;
      if ((which >>> word & 1) != 0) {
        trace.at(first + i % places).store(line + 8 * word, 8, value.applyAsLong(8));
      }
    }
  }

  /**
   * Some words of each line by one thread, in some cases others by another one, and then so many
   * other lines that these are long past.
   */
  void structure(long start, int lines, int thread, int other, IntToLongFunction value) {
    int which = random.nextInt(4) == 0 ? random.nextInt(256) : 0x55;
    boolean flushes = random.nextInt(3) == 0;
    boolean shared = random.nextInt(4) == 0;
    for (int i = 0; i < lines; i++) {
      trace.on(thread);
      words(start + 64L * i, which, value);
      if (shared) {
        trace.on(other);
        words(start + 64L * i, ~which & random.nextInt(256), value);
      }
      if (flushes) {
        trace.clwb(start + 64L * i);
      }
    }
    if (flushes) {
      trace.sfence();
    }
    for (int i = 0; i < 70; i++) {
      trace.at(1).store(FAR + 64L * i, 8, 1);
    }
  }
}
