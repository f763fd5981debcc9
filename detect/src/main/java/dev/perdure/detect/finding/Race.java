package dev.perdure.detect.finding;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * All that was seen of one pair of sites. Evidence is kept by address, because words that turn out
 * to be locks drop out at the end.
 */
final class Race {
  private static final int MAX_ADDRESSES = 1024;
  private static final int MAX_EXAMPLES = 4;
  private static final int MAX_STACKS = 4;

  final int number;
  final int storeSite;
  final int loadSite;
  final int process;
  private final Long2IntOpenHashMap addresses = new Long2IntOpenHashMap();
  private int lasting;
  private long count;
  final IntArrayList storeOrigins = new IntArrayList();
  final IntArrayList loadOrigins = new IntArrayList();
  private final List<RaceExample> examples = new ArrayList<>();
  private final Map<Long, SeenEffect> effects = new LinkedHashMap<>();

  /** An effect of bytes that were read at that address. */
  private record SeenEffect(long readAt, Effect effect) {}

  Race(int number, int storeSite, int loadSite, int process) {
    this.number = number;
    this.storeSite = storeSite;
    this.loadSite = loadSite;
    this.process = process;
  }

  /** Notes an occurrence and returns whether an example of it is wanted. */
  boolean seen(long address, int evidence, LongPredicate isLock) {
    count++;
    int old = addresses.get(address);
    if (old == evidence || (old | evidence) == old) {
      return false;
    }
    if (old == 0 && addresses.size() >= MAX_ADDRESSES) {
      makeRoom(isLock);
    }
    addresses.put(address, old | evidence);
    return wants(address, evidence);
  }

  private boolean wants(long address, int evidence) {
    for (RaceExample example : examples) {
      if (example.address == address) {
        return evidence > example.evidence;
      }
    }
    return examples.size() < MAX_EXAMPLES || evidence > weakest().evidence;
  }

  private RaceExample weakest() {
    return Collections.min(examples, Comparator.comparingInt(e -> e.evidence));
  }

  /** So many words are no locks so far: what they show stays, and only new ones are watched. */
  private void makeRoom(LongPredicate isLock) {
    for (Long2IntMap.Entry e : addresses.long2IntEntrySet()) {
      if (!isLock.test(e.getLongKey())) {
        lasting |= e.getIntValue();
      }
    }
    addresses.clear();
  }

  void add(RaceExample example) {
    examples.removeIf(e -> e.address == example.address);
    if (examples.size() >= MAX_EXAMPLES) {
      examples.remove(weakest());
    }
    examples.add(example);
  }

  /** One effect is kept for each place and way. */
  void add(long readAt, Effect effect) {
    long key = (long) effect.origin() << 2 | effect.flow().ordinal();
    effects.putIfAbsent(key, new SeenEffect(readAt, effect));
  }

  List<Effect> effects() {
    return effects.values().stream().map(SeenEffect::effect).toList();
  }

  void addOrigins(int storeOrigin, int loadOrigin) {
    addOrigin(storeOrigins, storeOrigin);
    addOrigin(loadOrigins, loadOrigin);
  }

  private static void addOrigin(IntArrayList origins, int origin) {
    if (origins.size() < MAX_STACKS && !origins.contains(origin)) {
      origins.add(origin);
    }
  }

  /** The example of a store at that time and place, whose window has just been ended. */
  RaceExample exampleOf(long wordAddress, long storeTime) {
    for (RaceExample e : examples) {
      if (!e.ended && e.storeTime == storeTime && (e.address & -64) == (wordAddress & -64)) {
        return e;
      }
    }
    return null;
  }

  /** These bytes were those of locks and are freed: they drop out now. */
  void dropAddresses(LongSet freed) {
    if (freed.size() < addresses.size()) {
      freed.forEach(addresses::remove);
    } else {
      addresses.keySet().removeIf(freed::contains);
    }
    dropSeenAt(freed::contains);
  }

  void dropLocks(LongPredicate isLock) {
    addresses.keySet().removeIf(isLock);
    dropSeenAt(isLock);
  }

  private void dropSeenAt(LongPredicate isLock) {
    examples.removeIf(e -> isLock.test(e.address));
    effects.values().removeIf(e -> isLock.test(e.readAt()));
  }

  int evidence() {
    int bits = lasting;
    for (int e : addresses.values()) {
      bits |= e;
    }
    return bits;
  }

  long count() {
    return count;
  }

  /** The occurrence with the most evidence, or null. */
  RaceExample best() {
    RaceExample best = null;
    for (RaceExample e : examples) {
      if (best == null || e.evidence > best.evidence) {
        best = e;
      }
    }
    return best;
  }
}
