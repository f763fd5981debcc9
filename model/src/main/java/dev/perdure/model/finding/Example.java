package dev.perdure.model.finding;

import java.util.List;

/**
 * One occurrence of a persistency race or flush finding, in the order in which it happened. Thread
 * numbers start at 1; 0 means that there is none. Times are nanoseconds since the start of the
 * recording, -1 where they are not known.
 *
 * @param endThread who ended the window (by a fence or by overwriting), 0 if nobody did
 * @param overwritten whether another store ended the window
 * @param storeLocks names of the locks held at the store, likewise at its end and at the load
 * @param orderedInThisRun whether happens-before ordered the pair in this run
 */
public record Example(
    long address,
    int size,
    int storeThread,
    long storeTime,
    int endThread,
    long endTime,
    boolean overwritten,
    int loadThread,
    long loadTime,
    List<String> storeLocks,
    List<String> endLocks,
    List<String> loadLocks,
    boolean orderedInThisRun) {

  public Example {
    storeLocks = List.copyOf(storeLocks);
    endLocks = List.copyOf(endLocks);
    loadLocks = List.copyOf(loadLocks);
  }
}
