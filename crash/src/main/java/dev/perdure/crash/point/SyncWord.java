package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolRange;
import java.io.Serializable;

/**
 * A lock word or the like in a pool, and the value it has after a restart.
 *
 * @param bits the bits of the value that matter
 */
public record SyncWord(PoolRange range, long initial, long bits) implements Serializable {
  public boolean isInitial(long value) {
    return ((value ^ initial) & bits) == 0;
  }
}
