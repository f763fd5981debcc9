package dev.perdure.target;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Stands still until the target has said, by making a file, that it is where the test wants it: so
 * a slow machine changes nothing.
 */
final class ReadyClock implements LongSupplier {
  private final Path ready;
  private long since;
  private boolean running;

  ReadyClock(Path ready) {
    this.ready = ready;
  }

  @Override
  public synchronized long getAsLong() {
    if (!running && Files.exists(ready)) {
      running = true;
      since = System.nanoTime();
    }
    return running ? System.nanoTime() - since : 0;
  }
}
