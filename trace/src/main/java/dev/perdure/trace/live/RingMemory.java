package dev.perdure.trace.live;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Gives the rings that a target is likely to take their memory, by a thread of its own while the
 * target starts: to clear fresh pages costs milliseconds a ring, which would count as the target's.
 * It only reads, so rings that are in use already do not mind.
 */
final class RingMemory {
  private final FileChannel channel;
  private final Thread thread = new Thread(this::touch, "ring memory");
  private final long from;
  private final long ringBytes;
  private final int rings;
  private volatile boolean stopped;

  private RingMemory(FileChannel channel, long from, long ringBytes, int rings) {
    this.channel = channel;
    this.from = from;
    this.ringBytes = ringBytes;
    this.rings = rings;
  }

  /** Begins with so many rings that lie one behind the other. */
  static RingMemory provide(FileChannel channel, long from, long ringBytes, int rings) {
    RingMemory memory = new RingMemory(channel, from, ringBytes, rings);
    memory.thread.setDaemon(true);
    memory.thread.start();
    return memory;
  }

  private void touch() {
    try {
      for (int i = 0; i < rings && !stopped; i++) {
        channel.map(FileChannel.MapMode.READ_ONLY, from + i * ringBytes, ringBytes).load();
      }
    } catch (IOException | InternalError e) {
      // No memory is left: the target finds that out when it needs it.
      stopped = true;
    }
  }

  /** Afterwards the file may be closed and truncated. */
  void stop() {
    stopped = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
