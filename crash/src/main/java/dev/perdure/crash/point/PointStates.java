package dev.perdure.crash.point;

import dev.perdure.crash.memory.ContentHash;
import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.memory.OpenStores;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.crash.memory.StoreUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The failure points that were seen. Two of them are one if recovery cannot tell them apart and the
 * same is said of what it reads: the same bytes are persistent, the same windows of the same stores
 * are open, and commit variables and lock words say the same.
 */
final class PointStates {
  private record State(
      long persistent, long windows, long commits, long words, long logged, int sizes) {}

  private final StoreLog stores;
  private final CommitSets commits;
  private final boolean everyImage;
  private final Set<State> seen = new HashSet<>();

  /**
   * @param everyImage whether images may hold stores that were overwritten, which then count, too
   */
  PointStates(StoreLog stores, CommitSets commits, boolean everyImage) {
    this.stores = stores;
    this.commits = commits;
    this.everyImage = everyImage;
  }

  /**
   * Whether none like it came before.
   *
   * @param windows the number of the windows that are open
   */
  boolean isNew(FailurePoint point, long windows) {
    return seen.add(
        new State(
            point.memory().persistentHash(),
            everyImage ? windows + units(point) : windows,
            committed(point),
            words(point),
            point.protections().hash(),
            Arrays.hashCode(point.sizes())));
  }

  private long units(FailurePoint point) {
    long sum = 0;
    for (OpenStores line : point.open()) {
      long hash = line.address();
      for (StoreUnit unit : line.units()) {
        hash = ContentHash.mix(hash, unit.anyOrder() ? 1 : 0);
        hash = ContentHash.mix(hash, unit.mask());
        hash = ContentHash.mix(hash, stores.origin(unit.store()));
        for (long rest = unit.mask(); rest != 0; rest &= rest - 1) {
          hash = ContentHash.mix(hash, unit.content()[Long.numberOfTrailingZeros(rest)]);
        }
      }
      sum += hash;
    }
    return sum;
  }

  /**
   * What decides whether a byte is committed or stale: who wrote it, and how many writes of its
   * variable came since. Beyond the last two that an image may hold, their number does not matter.
   */
  private long committed(FailurePoint point) {
    List<CommitWrites> writes = point.commits();
    if (writes.isEmpty()) {
      return 0;
    }
    long[] sum = {0};
    for (CommitWrites w : writes) {
      sum[0] = ContentHash.mix(sum[0], w.onTheirWay());
    }
    point.memory().forEachPage((address, page) -> sum[0] += committed(writes, address, page));
    return sum[0];
  }

  private long committed(List<CommitWrites> writes, long address, MemoryPage page) {
    long sum = 0;
    for (int b = 0; b < MemoryPage.SIZE; b++) {
      int store = page.writer(b);
      int variable = store == 0 ? -1 : commits.variableOf(address + b);
      if (variable >= 0) {
        CommitWrites of = writes.get(variable);
        int since = of.positions().length - of.upTo(stores.position(store));
        int age = Math.min(since, of.onTheirWay() + 2);
        sum += ContentHash.mix(ContentHash.mix(address + b, age), stores.origin(store));
      }
    }
    return sum;
  }

  private long words(FailurePoint point) {
    long hash = 0;
    for (WordHistory word : point.words()) {
      hash = hash * 31 + word.hash(stores);
    }
    return hash;
  }
}
