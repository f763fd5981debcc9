package dev.perdure.crash.image;

import dev.perdure.crash.memory.MemoryPage;
import dev.perdure.crash.memory.StoreLog;
import dev.perdure.crash.point.CommitSets;
import dev.perdure.crash.point.CommitWrites;
import dev.perdure.crash.point.FailurePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the bytes of an image that recovery must not read first: those whose last store was not
 * persistent (cross-failure race), and those that their commit variable does not vouch for
 * (cross-failure semantic bug).
 */
public final class Suspicion {
  private static final int LINE = 64;

  private final StoreLog stores;
  private final CommitSets commits;
  private final boolean insideLibraries;

  public Suspicion(StoreLog stores, CommitSets commits, boolean insideLibraries) {
    this.stores = stores;
    this.commits = commits;
    this.insideLibraries = insideLibraries;
  }

  public List<SuspectRange> of(FailurePoint point, CrashImage image) {
    List<SuspectRange> ranges = new ArrayList<>();
    long[][] bounds = bounds(point, image);
    point.memory().forEachPage((address, page) -> page(point, address, page, bounds, ranges));
    return ranges;
  }

  /** For each variable the positions of the last two of its writes that are in the image. */
  private long[][] bounds(FailurePoint point, CrashImage image) {
    long[][] bounds = new long[point.commits().size()][];
    for (int i = 0; i < bounds.length; i++) {
      CommitWrites commit = point.commits().get(i);
      long[] writes = commit.positions();
      int last = image.writesOf(commit, stores) - 1;
      bounds[i] = new long[] {last > 0 ? writes[last - 1] : 0, writes[last]};
    }
    return bounds;
  }

  private void page(
      FailurePoint point,
      long address,
      MemoryPage page,
      long[][] bounds,
      List<SuspectRange> ranges) {
    for (int line = 0; line < MemoryPage.SIZE / LINE; line++) {
      long open = page.open(line);
      if (open == 0 && bounds.length == 0) {
        continue;
      }
      long start = address + (long) line * LINE;
      long logged = point.protections().in(start);
      for (int b = 0; b < LINE; b++) {
        int store = page.writer(line * LINE + b);
        if (store == 0
            || stores.is(store, StoreLog.EXEMPT)
            || stores.is(store, StoreLog.BY_LIBRARY) && !insideLibraries) {
          continue;
        }
        Optional<Suspect> suspect =
            (open & 1L << b) != 0
                ? race(start + b, store, (logged & 1L << b) != 0)
                : semantic(start + b, store, bounds);
        if (suspect.isPresent()) {
          add(ranges, start + b, suspect.get());
        }
      }
    }
  }

  private Optional<Suspect> race(long address, int store, boolean logged) {
    return logged || commits.isVariable(address)
        ? Optional.empty()
        : Optional.of(new Suspect(Suspect.Reason.NOT_PERSISTED, store));
  }

  private Optional<Suspect> semantic(long address, int store, long[][] bounds) {
    int variable = bounds.length == 0 ? -1 : commits.variableOf(address);
    if (variable < 0) {
      return Optional.empty();
    }
    long at = stores.position(store);
    if (at > bounds[variable][1]) {
      return Optional.of(new Suspect(Suspect.Reason.UNCOMMITTED, store));
    }
    return at < bounds[variable][0]
        ? Optional.of(new Suspect(Suspect.Reason.STALE, store))
        : Optional.empty();
  }

  private static void add(List<SuspectRange> ranges, long address, Suspect suspect) {
    SuspectRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null
        && last.address() + last.length() == address
        && last.suspect().equals(suspect)) {
      ranges.set(ranges.size() - 1, new SuspectRange(last.address(), last.length() + 1, suspect));
    } else {
      ranges.add(new SuspectRange(address, 1, suspect));
    }
  }
}
