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

  /** What the name of a lock ends with where it is not held exclusively. */
  public static final String SHARED = " (shared)";

  public Example {
    storeLocks = List.copyOf(storeLocks);
    endLocks = List.copyOf(endLocks);
    loadLocks = List.copyOf(loadLocks);
  }

  /** Those of the locks held at a store that keep others out who hold them at a load. */
  public static List<String> keepingApart(List<String> storeLocks, List<String> loadLocks) {
    return storeLocks.stream()
        .filter(
            lock ->
                lock.endsWith(SHARED)
                    ? loadLocks.contains(lock.substring(0, lock.length() - SHARED.length()))
                    : loadLocks.contains(lock) || loadLocks.contains(lock + SHARED))
        .toList();
  }
}
