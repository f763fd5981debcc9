package dev.perdure.detect.finding;

import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Example;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/** One occurrence of a race, with times in ticks; its end may become known later. */
final class RaceExample {
  final long address;
  final int size;
  final int storeThread;
  final long storeTime;
  final int loadThread;
  final long loadTime;
  final List<String> storeLocks;
  final List<String> loadLocks;
  final int evidence;
  int storeOrigin;
  int loadOrigin;
  boolean ended;
  int endThread;
  long endTime;
  int endOrigin;
  boolean overwritten;
  List<String> endLocks = List.of();

  RaceExample(
      long address,
      int size,
      int storeThread,
      long storeTime,
      int loadThread,
      long loadTime,
      List<String> storeLocks,
      List<String> loadLocks,
      int evidence) {
    this.address = address;
    this.size = size;
    this.storeThread = storeThread;
    this.storeTime = storeTime;
    this.loadThread = loadThread;
    this.loadTime = loadTime;
    this.storeLocks = storeLocks;
    this.loadLocks = loadLocks;
    this.evidence = evidence;
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
        storeLocks,
        endLocks,
        loadLocks,
        happensBeforeWasChecked && !unordered);
  }

  private static long nanos(long ticks, LongUnaryOperator ticksToNanos) {
    return ticks < 0 ? -1 : ticksToNanos.applyAsLong(ticks);
  }
}
