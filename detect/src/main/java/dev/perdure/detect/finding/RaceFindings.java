package dev.perdure.detect.finding;

import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.sync.LockRegistry;
import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.LongIndex;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.Threads;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Collects persistency races, merged by pair of sites while the trace runs, so that a pair costs
 * the same however often it is seen. Pairs that only words protect, which may or may not be locks,
 * wait aside.
 */
public final class RaceFindings {
  private static final int NOBODY = -1;

  private final Windows windows;
  private final Origins origins;
  private final Threads threads;
  private final Locksets sets;
  private final LockRegistry registry;
  private final LongPredicate isLock;
  private int storer = NOBODY;
  private LongIndex pairs = new LongIndex();
  private final List<Race> races = new ArrayList<>();
  private long[] overlaps = new long[64];
  private final Long2ObjectOpenHashMap<Race> aside = new Long2ObjectOpenHashMap<>();

  /** Bytes of lock words that were freed since the last race was noted. */
  private final LongOpenHashSet freed = new LongOpenHashSet();

  public RaceFindings(
      Windows windows,
      Origins origins,
      Threads threads,
      Locksets sets,
      LockRegistry registry,
      LongPredicate isLock) {
    this.windows = windows;
    this.origins = origins;
    this.threads = threads;
    this.sets = sets;
    this.registry = registry;
    this.isLock = isLock;
  }

  /**
   * The window of the next report stands for one of another thread, of which no more is known than
   * that it was made and ended alike.
   */
  public void ofStorer(int threadIndex) {
    storer = threadIndex;
  }

  /** A race of a window, open or over, with a load. */
  public void report(int window, Sighting load, int evidence) {
    Race race = raceOf(window, load);
    if (windows.state(window) != Windows.CLOSED) {
      windows.setRace(window, race.number);
    }
    if ((evidence & EvidenceBits.REGION_OVERLAP) != 0) {
      countOverlap(storer == NOBODY ? windows.index(window) : storer);
      countOverlap(load.index());
    }
    note(race, window, load, evidence);
  }

  private void countOverlap(int threadIndex) {
    if (threadIndex >= overlaps.length) {
      overlaps = Arrays.copyOf(overlaps, Math.max(threadIndex + 1, 2 * overlaps.length));
    }
    overlaps[threadIndex]++;
  }

  /** How often regions of a thread have overlapped those of others. */
  public long overlapsOf(int threadIndex) {
    return threadIndex < overlaps.length ? overlaps[threadIndex] : 0;
  }

  /** A race of an open window with a load whose bytes went on. */
  public void report(int window, Sighting load, Effect effect) {
    report(window, load, EvidenceBits.OBSERVED_READ | EvidenceBits.DURABLE_EFFECT);
    raceOf(window, load).add(load.address(), effect);
  }

  /** A race by lockset, unless one of the common words turns out to be a lock. */
  public void reportUnlessLock(int window, Sighting load, int common) {
    Race race = raceOf(window, load);
    long key = (long) race.number << 32 | common;
    Race waiting = aside.get(key);
    if (waiting == null) {
      waiting = new Race(race.number, race.storeSite, race.loadSite, race.process);
      aside.put(key, waiting);
    }
    note(waiting, window, load, EvidenceBits.LOCKSET);
  }

  private Race raceOf(int window, Sighting load) {
    int storeSite = origins.site(windows.origin(window));
    int loadSite = origins.site(load.origin());
    int i = pairs.add((long) storeSite << 32 | loadSite & 0xffffffffL);
    if (i == races.size()) {
      int process = threads.at(windows.index(window)).process().number();
      races.add(new Race(i, storeSite, loadSite, process));
    }
    return races.get(i);
  }

  private void note(Race race, int window, Sighting load, int evidence) {
    dropFreed();
    race.addOrigins(windows.origin(window), load.origin());
    if (race.seen(load.address(), evidence, isLock)) {
      race.add(example(window, load, evidence));
    }
    storer = NOBODY;
  }

  private RaceExample example(int window, Sighting load, int evidence) {
    boolean byAnother = storer != NOBODY;
    RaceExample example =
        new RaceExample(
            load.address(),
            load.size(),
            byAnother
                ? threads.numberOf(storer, 1)
                : threads.numberOf(windows.index(window), windows.epoch(window)),
            byAnother ? -1 : windows.time(window),
            threads.numberOf(load.index(), load.epoch()),
            load.time(),
            windows.lockset(window),
            load.lockset(),
            this::names,
            evidence);
    example.storeOrigin = windows.origin(window);
    example.loadOrigin = load.origin();
    if (windows.state(window) == Windows.CLOSED) {
      end(example, window);
    }
    if (byAnother) {
      example.endThread = example.storeThread;
      example.endTime = -1;
    }
    return example;
  }

  private void end(RaceExample example, int window) {
    example.ended = true;
    example.endThread = windows.endThread(window);
    example.endTime = windows.endTime(window);
    example.endOrigin = windows.endOrigin(window);
    example.overwritten = windows.is(window, Windows.OVERWRITTEN);
    example.endLockset = windows.endLockset(window);
  }

  private List<String> names(int lockset) {
    return registry.names(sets.members(lockset));
  }

  /** A window that was open when the race of that number was seen is over. */
  public void ended(int window, int number) {
    if (number < races.size()) {
      RaceExample example =
          races.get(number).exampleOf(windows.address(window), windows.time(window));
      if (example != null) {
        end(example, window);
      }
    }
  }

  /** What was a lock word is freed: its address may become anything. */
  public void dropAddresses(long from, long to) {
    for (long address = from; address < to; address++) {
      freed.add(address);
    }
  }

  /** A table of thousands of locks is freed at once: all races are gone through once for it. */
  private void dropFreed() {
    if (!freed.isEmpty()) {
      races.forEach(r -> r.dropAddresses(freed));
      aside.values().forEach(r -> r.dropAddresses(freed));
      freed.clear();
    }
  }

  /** Forgets what was collected so far of one process. */
  public void dropProcess(int process) {
    List<Race> kept = new ArrayList<>();
    LongIndex keptPairs = new LongIndex();
    boolean any = false;
    for (Race r : races) {
      any |= r.process == process;
    }
    if (!any) {
      return;
    }
    for (Race r : races) {
      if (r.process != process) {
        keptPairs.add((long) r.storeSite << 32 | r.loadSite & 0xffffffffL);
        kept.add(r);
      }
    }
    races.clear();
    races.addAll(kept);
    pairs = keptPairs;
    aside.values().removeIf(r -> r.process == process);
  }

  /** The races that stand at the end. */
  List<Race> settle() {
    dropFreed();
    List<Race> result = new ArrayList<>();
    for (var e : aside.long2ObjectEntrySet()) {
      if (!hasLock((int) e.getLongKey())) {
        result.add(e.getValue());
      }
    }
    result.addAll(races);
    for (Race r : result) {
      r.dropLocks(isLock);
    }
    result.removeIf(r -> r.evidence() == 0);
    return result;
  }

  private boolean hasLock(int set) {
    for (int member : sets.members(set)) {
      if (registry.isRecognised(Locksets.lock(member))) {
        return true;
      }
    }
    return false;
  }
}
