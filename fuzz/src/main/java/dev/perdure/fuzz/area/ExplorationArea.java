package dev.perdure.fuzz.area;

import dev.perdure.fuzz.area.AreaLayout.Exploration;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** The area of one campaign, as the Java side sees it. */
public final class ExplorationArea {
  private final Path path;
  private final MappedByteBuffer area;

  private ExplorationArea(Path path, MappedByteBuffer area) {
    this.path = path;
    this.area = area;
  }

  /**
   * Makes the file of a campaign with that schedule.
   *
   * @param fed whether the program gets its work from outside while it runs
   */
  public static ExplorationArea create(Path path, Schedule schedule, boolean fed)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer b = channel.map(FileChannel.MapMode.READ_WRITE, 0, Exploration.SIZE);
      b.order(ByteOrder.LITTLE_ENDIAN);
      b.putInt(Exploration.FED, fed ? 1 : 0);
      write(b, schedule);
      return new ExplorationArea(path, b);
    }
  }

  private static void write(MappedByteBuffer b, Schedule s) {
    b.putInt(Exploration.STRATEGY, s.strategy());
    b.putLong(Exploration.SEED, s.seed());
    b.putLong(Exploration.WRITER_WAIT, s.writerWait().toNanos());
    b.putLong(Exploration.READER_WAIT, s.readerWait().toNanos());
    b.putLong(Exploration.LONGEST_DELAY, s.longestDelay().toNanos());
    b.putInt(Exploration.SAME_WORD, whichStores(s));
    for (int i = 0; i < Math.min(s.changePoints().size(), AreaLayout.CHANGE_POINTS); i++) {
      b.putLong(Exploration.CHANGE_POINTS + 8 * i, s.changePoints().get(i));
    }
    // One entry stays empty: it ends the search of a site that is not there.
    for (SyncPoint point : s.points().subList(0, most(s))) {
      int at = emptyEntry(b, point.site());
      b.putInt(at + AreaLayout.SyncPoint.SITE, point.site());
      int kind = point.load() ? AreaLayout.SYNC_LOAD : AreaLayout.SYNC_STORE;
      b.putInt(at + AreaLayout.SyncPoint.KIND, kind);
      b.putInt(at + AreaLayout.SyncPoint.SKIP, point.skip());
    }
    b.putLong(Exploration.MAGIC, AreaLayout.EXPLORATION_MAGIC);
  }

  private static int whichStores(Schedule s) {
    if (s.points().stream().noneMatch(SyncPoint::load)) {
      return AreaLayout.NOBODY_WAITS;
    }
    return s.waits().number();
  }

  private static int most(Schedule s) {
    return Math.min(s.points().size(), AreaLayout.SYNC_POINTS - 1);
  }

  private static int emptyEntry(MappedByteBuffer b, int site) {
    for (int i = 0; ; i++) {
      int at = entry((site + i) & AreaLayout.SYNC_POINTS - 1);
      if (b.getInt(at + AreaLayout.SyncPoint.SITE) == 0) {
        return at;
      }
    }
  }

  private static int entry(int index) {
    return Exploration.POINTS + index * AreaLayout.SyncPoint.SIZE;
  }

  public Path path() {
    return path;
  }

  /** The branches that were taken. */
  public BitSet branches() {
    BitSet taken = new BitSet(AreaLayout.COVERAGE_BYTES);
    for (int i = 0; i < AreaLayout.COVERAGE_BYTES; i += Long.BYTES) {
      // Most are zero.
      if (area.getLong(Exploration.COVERAGE + i) != 0) {
        mark(taken, i);
      }
    }
    return taken;
  }

  private void mark(BitSet taken, int from) {
    for (int i = from; i < from + Long.BYTES; i++) {
      if (area.get(Exploration.COVERAGE + i) != 0) {
        taken.set(i);
      }
    }
  }

  /** Threads that wait at a sync point, or spin, by the kernel's numbers. */
  public Set<Integer> idleThreads() {
    Set<Integer> threads = new HashSet<>();
    for (int i = 0; i < AreaLayout.AWAITED; i++) {
      threads.add(area.getInt(Exploration.IDLE + i * Integer.BYTES));
    }
    return threads;
  }

  /** Sites of loads at which threads waited in vain. */
  public Set<Integer> disabledLoads() {
    Set<Integer> sites = new HashSet<>();
    for (int i = 0; i < AreaLayout.SYNC_POINTS; i++) {
      int at = entry(i);
      if (area.getInt(at + AreaLayout.SyncPoint.DISABLED) == AreaLayout.DISABLED_IN_VAIN) {
        sites.add(area.getInt(at + AreaLayout.SyncPoint.SITE));
      }
    }
    return sites;
  }

  /** Whether a store of the schedule was made that counts. */
  public boolean signalled() {
    return area.getInt(Exploration.SIGNALLED) != 0 || area.getInt(Exploration.MATCHES) != 0;
  }

  /** The number of the calls in which a signal ended the program; 0 if that is not known. */
  public int failedIn() {
    return area.getInt(Exploration.FAILED);
  }

  /** Accesses of PM by all threads. */
  public long accesses() {
    return area.getLong(Exploration.ACCESSES);
  }
}
