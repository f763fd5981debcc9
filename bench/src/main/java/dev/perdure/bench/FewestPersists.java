package dev.perdure.bench;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.MemoryOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The fewest flushes and fences with which the stores of a trace, in their order, would be robust:
 * a line is flushed when its thread stores to another one that can be reached, or lets others go
 * on; a new object when its address is stored where it can be reached, each of its lines once.
 * Locked instructions are fences for nothing. What a program relies on by atomic loads is taken to
 * be persistent, so this is a bound that no repair can go below.
 */
final class FewestPersists extends Persists {
  private static final long LINE = 64;

  /** An object that nobody can reach yet. */
  private static final class Fresh {
    final long end;
    final Set<Long> lines = new HashSet<>();
    final Set<Long> pointsTo = new HashSet<>();

    Fresh(long end) {
      this.end = end;
    }
  }

  private final TreeMap<Long, Long> mapped = new TreeMap<>();
  private final TreeMap<Long, Fresh> unreachable = new TreeMap<>();
  private final Map<Integer, Set<Long>> dirty = new HashMap<>();

  @Override
  public void map(Event e) {
    mapped.put(e.address(), e.address() + e.value());
  }

  @Override
  public void alloc(Event e) {
    unreachable.put(e.address(), new Fresh(e.address() + e.value()));
  }

  @Override
  public void store(Event e) {
    write(e, e.size(), new long[] {e.value()}, false);
  }

  @Override
  public void storeBlock(Event e) {
    long[] words = new long[(int) e.value() / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      for (int b = 0; b < Long.BYTES; b++) {
        words[i] |= (e.payload()[i * Long.BYTES + b] & 0xffL) << (Byte.SIZE * b);
      }
    }
    write(e, e.value(), words, false);
  }

  @Override
  public void rmw(Event e) {
    write(e, e.size(), new long[] {e.newValue()}, true);
  }

  @Override
  public void release(Event e) {
    settle(e.thread(), (e.info() & EventInfo.LOCK_NO_FENCE) != 0);
  }

  @Override
  public void threadEnd(Event e) {
    settle(e.thread(), true);
  }

  private void write(Event e, long length, long[] words, boolean locked) {
    if (!isPersistent(e.address())) {
      if (MemoryOrder.releases(e.order())) {
        settle(e.thread(), !locked && e.order() != MemoryOrder.SEQ_CST);
      }
      return;
    }
    Set<Long> lines = lines(e.address(), length);
    Map.Entry<Long, Fresh> object = unreachable.floorEntry(e.address());
    if (object != null && e.address() < object.getValue().end) {
      object.getValue().lines.addAll(lines);
      for (long word : words) {
        object.getValue().pointsTo.add(word);
      }
      return;
    }
    Set<Long> before = dirty.computeIfAbsent(e.thread(), t -> new HashSet<>());
    long needed = before.equals(lines) ? 0 : before.size();
    for (long word : words) {
      needed += publish(word);
    }
    count(e.thread(), needed, needed > 0 && !locked ? 1 : 0);
    before.clear();
    before.addAll(lines);
  }

  private boolean isPersistent(long address) {
    Map.Entry<Long, Long> range = mapped.floorEntry(address);
    return range != null && address < range.getValue();
  }

  /** Returns how many lines have to be flushed before the address is stored. */
  private long publish(long address) {
    Map.Entry<Long, Fresh> entry = unreachable.floorEntry(address);
    if (entry == null || address >= entry.getValue().end) {
      return 0;
    }
    unreachable.remove(entry.getKey());
    long needed = entry.getValue().lines.size();
    for (long next : entry.getValue().pointsTo) {
      needed += publish(next);
    }
    return needed;
  }

  private void settle(int thread, boolean needsFence) {
    Set<Long> before = dirty.getOrDefault(thread, Set.of());
    if (!before.isEmpty()) {
      count(thread, before.size(), needsFence ? 1 : 0);
      before.clear();
    }
  }

  private static Set<Long> lines(long address, long length) {
    Set<Long> lines = new HashSet<>();
    for (long line = address / LINE; line <= (address + length - 1) / LINE; line++) {
      lines.add(line);
    }
    return lines;
  }
}
