package dev.perdure.detect.finding;

import dev.perdure.detect.sync.Locksets;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;

/**
 * One occurrence of a race, with times in ticks; its end may become known later. Locks are named
 * when somebody asks: most examples are never shown, and a thread that grows a table may hold the
 * locks of all its buckets.
 */
final class RaceExample {
  final long address;
  final int size;
  final int storeThread;
  final long storeTime;
  final int loadThread;
  final long loadTime;
  private final int storeLockset;
  private final int loadLockset;
  private final IntFunction<List<String>> lockNames;
  final int evidence;
  int storeOrigin;
  int loadOrigin;
  boolean ended;
  int endThread;
  long endTime;
  int endOrigin;
  boolean overwritten;
  int endLockset = Locksets.EMPTY;

  RaceExample(
      long address,
      int size,
      int storeThread,
      long storeTime,
      int loadThread,
      long loadTime,
      int storeLockset,
      int loadLockset,
      IntFunction<List<String>> lockNames,
      int evidence) {
    this.address = address;
    this.size = size;
    this.storeThread = storeThread;
    this.storeTime = storeTime;
    this.loadThread = loadThread;
    this.loadTime = loadTime;
    this.storeLockset = storeLockset;
    this.loadLockset = loadLockset;
    this.lockNames = lockNames;
    this.evidence = evidence;
  }

  List<String> storeLocks() {
    return lockNames.apply(storeLockset);
  }

  List<String> loadLocks() {
    return lockNames.apply(loadLockset);
  }

  Example toExample(LongUnaryOperator ticksToNanos, boolean happensBeforeWasChecked) {
    Set<Evidence> seen = EvidenceBits.toSet(evidence);
    boolean unordered =
        seen.contains(Evidence.HAPPENS_BEFORE) || seen.contains(Evidence.OBSERVED_READ);
    return new Example(
        address,
        size,
        storeThread,
        nanos(storeTime, ticksToNanos),
        ended ? endThread : 0,
        ended ? nanos(endTime, ticksToNanos) : -1,
        overwritten,
        loadThread,
        nanos(loadTime, ticksToNanos),
        storeLocks(),
        lockNames.apply(endLockset),
        loadLocks(),
        happensBeforeWasChecked && !unordered);
  }

  private static long nanos(long ticks, LongUnaryOperator ticksToNanos) {
    return ticks < 0 ? -1 : ticksToNanos.applyAsLong(ticks);
  }
}
