package dev.perdure.crash.point;

import dev.perdure.crash.memory.LinePersistence;
import dev.perdure.crash.memory.LinePersistence.Order;
import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.PoolMap;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.crash.memory.Pools;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.model.finding.Place;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import java.util.List;

/** The pools of a run as they are at a position of its trace, and who made them so. */
final class ReplayedPools {
  private static final long LARGEST_MARKED_ALLOCATION = 1 << 20;

  private final Definitions definitions;
  private final Pools pools;
  private final Declarations declarations;
  private final PoolMap map = new PoolMap();
  private final StoreLog stores = new StoreLog();
  private final LinePersistence memory;
  private final List<WordHistory> words;
  private final long[] sizes;
  private long position;
  private boolean changed;

  /**
   * @param needsFlushes whether stores are persistent only after flush and fence
   */
  ReplayedPools(
      Definitions definitions, Pools pools, Declarations declarations, boolean needsFlushes) {
    this.definitions = definitions;
    this.pools = pools;
    this.declarations = declarations;
    this.memory = new LinePersistence(pools::originalPage, stores, needsFlushes);
    this.words = declarations.syncWords().stream().map(WordHistory::new).toList();
    this.sizes = pools.all().stream().mapToLong(Pools.Pool::originalSize).toArray();
  }

  /** Goes on to the next event of the trace. */
  void advance() {
    position++;
  }

  long position() {
    return position;
  }

  /** From now on a failure may leave something else than at the last point. */
  void noteChange() {
    changed = true;
  }

  /** Whether a failure may leave something else than at the last point. */
  boolean changed() {
    return changed;
  }

  StoreLog stores() {
    return stores;
  }

  LinePersistence memory() {
    return memory;
  }

  /** Where the event's address is in the pools, {@link PoolAddress#NONE} outside of them. */
  long address(Event e) {
    return map.poolAddress(e.address());
  }

  void map(Event e) {
    Declarations.mapInto(map, e, definitions, pools);
    long at = address(e);
    if (at == PoolAddress.NONE) {
      return;
    }
    int pool = PoolAddress.pool(at);
    long end = e.payloadLong(8) + e.value();
    long last = Math.max(pools.all().get(pool).finalSize(), sizes[pool]);
    long before = sizes[pool];
    sizes[pool] = Math.max(before, last > 0 ? Math.min(end, last) : end);
    changed |= e.info() == EventInfo.MAP_MEMORY || sizes[pool] != before;
  }

  /** Stores what stands in bytes from an index on. */
  void store(
      Event e, long address, ThreadMarks marks, byte[] bytes, int from, int length, Order order) {
    int flags =
        (marks.inLibrary ? StoreLog.BY_LIBRARY : 0) | (marks.exempt() ? StoreLog.EXEMPT : 0);
    int store = stores.add(e.site(), e.stack(), e.thread(), position, flags);
    if (marks.inLibrary) {
      storeChanges(address, bytes, from, length, store, e.thread(), order);
    } else {
      memory.store(address, bytes, from, length, store, e.thread(), order);
    }
    changed = true;
    PoolRange range = new PoolRange(address, length);
    noteCommit(range);
    noteWord(range, store);
  }

  /** What a library wrote is seen by its effect: bytes that are as they were say nothing. */
  private void storeChanges(
      long address, byte[] bytes, int from, int length, int store, int thread, Order order) {
    for (int i = 0; i < length; ) {
      int n = 0;
      while (i + n < length && !memory.holds(address + i + n, bytes[from + i + n])) {
        n++;
      }
      if (n > 0) {
        memory.store(address + i, bytes, from + i, n, store, thread, order);
      }
      i += Math.max(n, 1);
    }
  }

  private void noteCommit(PoolRange range) {
    for (CommitVariable v : declarations.commitVariables()) {
      if (v.range().overlaps(range)) {
        v.written(position);
      }
    }
  }

  private void noteWord(PoolRange range, int store) {
    for (WordHistory history : words) {
      if (history.word().range().overlaps(range)) {
        history.written(memory.value(history.word().range()), store);
      }
    }
  }

  /** Allocates memory whose contents are persistent already, or are the program's to write. */
  void allocate(Event e, long address, ThreadMarks marks) {
    if (e.info() == 1) {
      memory.persist(address, e.value());
    } else if (e.value() <= LARGEST_MARKED_ALLOCATION) {
      int flags = StoreLog.ALLOCATION | (marks.exempt() ? StoreLog.EXEMPT : 0);
      int store = stores.add(e.site(), e.stack(), e.thread(), position, flags);
      memory.allocate(address, e.value(), store, e.thread());
    }
    changed = true;
  }

  /** A failure at this position; what comes after it counts as a change. */
  FailurePoint fail(int index, Place place, LoggedRanges protections) {
    changed = false;
    return new FailurePoint(
        index,
        position,
        place,
        memory.snapshot(),
        memory.openLines(),
        protections,
        declarations.writtenVariables().stream()
            .map(v -> CommitWrites.of(v, memory, stores))
            .toList(),
        words.stream().map(WordHistory::copy).toList(),
        sizes.clone());
  }
}
