package dev.perdure.detect;

import dev.perdure.detect.finding.EvidenceBits;
import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.finding.Sighting;
import dev.perdure.detect.hb.HappensBefore;
import dev.perdure.detect.lockset.LocksetAnalysis;
import dev.perdure.detect.observed.ObservedReads;
import dev.perdure.detect.regions.RegionOverlap;
import dev.perdure.detect.shadow.Access;
import dev.perdure.detect.shadow.ClosedWindows;
import dev.perdure.detect.shadow.LoadObserver;
import dev.perdure.detect.shadow.LoadRecords;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.shadow.WindowObserver;
import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.shadow.Word;
import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.ThreadState;

/**
 * Walks the records of a word and asks the rule of each detector about every pair of a window and a
 * load: when a store is made, when a window ends, and when a load is made.
 */
final class RaceCheck implements WindowObserver, LoadObserver {
  /** Members of a record are known by their threads alone. */
  private static final int FIRST_EPOCH = 1;

  /** No lockset. */
  private static final int NOTHING = -1;

  private final boolean lockset;
  private final boolean hb;
  private final boolean observed;
  private final boolean regions;
  private final Windows windows;
  private final LoadRecords loads;
  private final ClosedWindows closed;
  private final LocksetAnalysis locksetRule;
  private final HappensBefore hbRule;
  private final ObservedReads observedRule;
  private final RegionOverlap regionRule;
  private final RaceFindings findings;
  private final Synchronisation synchronisation;
  private final Sighting sighting = new Sighting();

  RaceCheck(
      DetectionOptions options,
      ShadowPm shadow,
      LocksetAnalysis locksetRule,
      HappensBefore hbRule,
      ObservedReads observedRule,
      RegionOverlap regionRule,
      RaceFindings findings,
      Synchronisation synchronisation) {
    this.lockset = options.has(Detector.LOCKSET);
    this.hb = options.has(Detector.HB);
    this.observed = options.has(Detector.OBSERVED) || options.has(Detector.TAINT);
    this.regions = options.has(Detector.REGIONS);
    this.windows = shadow.windows();
    this.loads = shadow.loads();
    this.closed = shadow.closed();
    this.locksetRule = locksetRule;
    this.hbRule = hbRule;
    this.observedRule = observedRule;
    this.regionRule = regionRule;
    this.findings = findings;
    this.synchronisation = synchronisation;
  }

  @Override
  public void opened(int[] a, int w, int window, int mask, ThreadState t) {
    if (!hb && !regions || loads.isEmpty(a, w)) {
      return;
    }
    int[] c = loads.cells(a, w);
    int ordering = t.held().ordering();
    for (int i = loads.first(a, w), end = loads.end(a, w); i < end; i += LoadRecords.CELL) {
      int common = LoadRecords.common(c, i, mask);
      if (common != 0
          && LoadRecords.lockset(c, i) != ordering
          && hbRule.racesWithEarlier(t, LoadRecords.index(c, i), LoadRecords.epoch(c, i))) {
        sightOnRecord(c, i, LoadRecords.index(c, i), LoadRecords.epoch(c, i));
        sighting.at(windows.address(window), common, Word.granule(a, w));
        boolean overlap =
            regions
                && regionRule.withEarlierLoad(
                    t,
                    windows.address(window),
                    common,
                    Word.granule(a, w),
                    LoadRecords.index(c, i),
                    LoadRecords.epoch(c, i));
        reportUnordered(window, overlap);
      }
    }
  }

  @Override
  public void persisted(int[] a, int w, int window, int mask) {
    regionRule.persisted(window, mask, Word.granule(a, w));
  }

  @Override
  public int ended(int[] a, int w, int window, int race, ThreadState t) {
    if (race >= 0) {
      findings.ended(window, race);
    }
    if (!lockset) {
      return Locksets.EMPTY;
    }
    int effective = locksetRule.effective(window, t);
    checkLoads(a, w, window, effective, t.held().ordering());
    return effective;
  }

  /** The run is over and the window is still open: nothing protects it. */
  void neverEnded(int[] a, int w, int window) {
    if (lockset && !windows.is(window, Windows.EXEMPT)) {
      checkLoads(a, w, window, Locksets.EMPTY, NOTHING);
    }
  }

  /** Loads that have the effective lockset are protected, where that is the one that orders. */
  private void checkLoads(int[] a, int w, int window, int effective, int ordering) {
    if (loads.isEmpty(a, w)) {
      return;
    }
    int[] c = loads.cells(a, w);
    int mask = windows.mask(window);
    for (int i = loads.first(a, w), end = loads.end(a, w); i < end; i += LoadRecords.CELL) {
      int common = LoadRecords.common(c, i, mask);
      if (common == 0 || effective == ordering && LoadRecords.lockset(c, i) == effective) {
        continue;
      }
      int verdict = locksetRule.verdict(effective, LoadRecords.lockset(c, i));
      if (verdict != LocksetAnalysis.PROTECTED && sightConcurrent(c, i, window)) {
        sighting.at(windows.address(window), common, Word.granule(a, w));
        report(window, verdict);
      }
    }
  }

  /** Finds a load of the record that create and join leave concurrent with the window. */
  private boolean sightConcurrent(int[] c, int i, int window) {
    int index = LoadRecords.index(c, i);
    if (locksetRule.isConcurrent(window, index, LoadRecords.epoch(c, i))) {
      sightOnRecord(c, i, index, LoadRecords.epoch(c, i));
      return true;
    }
    for (long m = LoadRecords.members(c, i); m != 0; m &= m - 1) {
      int member = Long.numberOfTrailingZeros(m);
      if (member != index && locksetRule.isConcurrent(window, member, FIRST_EPOCH)) {
        sightOnRecord(c, i, member, FIRST_EPOCH);
        return true;
      }
    }
    return false;
  }

  private void sightOnRecord(int[] c, int i, int index, int epoch) {
    sighting.load(LoadRecords.origin(c, i), index, epoch, LoadRecords.lockset(c, i), -1);
  }

  private void reportUnordered(int window, boolean overlap) {
    int evidence = hb ? EvidenceBits.HAPPENS_BEFORE : 0;
    evidence |= overlap ? EvidenceBits.REGION_OVERLAP : 0;
    if (evidence != 0) {
      findings.report(window, sighting, evidence);
    }
  }

  private void report(int window, int verdict) {
    if (verdict == LocksetAnalysis.UNPROTECTED) {
      findings.report(window, sighting, EvidenceBits.LOCKSET);
    } else {
      findings.reportUnlessLock(window, sighting, verdict);
    }
  }

  @Override
  public boolean loaded(
      int[] a, int w, long address, int mask, long value, boolean known, int granule, Access load) {
    if (!closed.isEmpty(a, w)) {
      int[] c = closed.cells(a, w);
      ThreadState t = load.thread();
      for (int i = closed.first(a, w), end = closed.end(a, w); i < end; i += ClosedWindows.CELL) {
        int common = ClosedWindows.common(c, i, mask);
        if (common != 0 && !isHarmless(c, i, t)) {
          sight(load, address, common, granule);
          checkClosed(c, i, t, address, common, granule);
        }
      }
    }
    for (int window = Word.open(a, w); window != 0; window = windows.next(window)) {
      int common = windows.mask(window) & mask;
      if (common != 0
          && !windows.isOf(window, load.thread())
          && !windows.is(window, Windows.EXEMPT)) {
        int evidence = hb ? EvidenceBits.HAPPENS_BEFORE : 0;
        if (observed && observedRule.returned(window, common, value, known)) {
          evidence |= EvidenceBits.OBSERVED_READ;
        }
        if (regions && regionRule.withOpenWindow(load.thread(), address, common, granule, window)) {
          evidence |= EvidenceBits.REGION_OVERLAP;
        }
        if (evidence != 0) {
          sight(load, address, common, granule);
          findings.report(window, sighting, evidence);
        }
      }
    }
    return lockset || hb || regions;
  }

  private void sight(Access load, long address, int common, int granule) {
    ThreadState t = load.thread();
    sighting.load(load.origin(), t.index(), t.clock(), t.held().set(), load.time());
    sighting.at(address, common, granule);
  }

  /** What nearly all windows are for nearly all loads: ended before, and protected. */
  private boolean isHarmless(int[] c, int i, ThreadState t) {
    return (!hb && !regions
            || !hbRule.races(t, ClosedWindows.index(c, i), ClosedWindows.epoch(c, i)))
        && (!lockset
            || locksetRule.verdict(ClosedWindows.lockset(c, i), t.held().set())
                == LocksetAnalysis.PROTECTED);
  }

  private void checkClosed(int[] c, int i, ThreadState t, long address, int common, int granule) {
    int window = ClosedWindows.window(c, i);
    boolean settled = ClosedWindows.isSettledFor(c, i, t);
    int index = ClosedWindows.index(c, i);
    int epoch = ClosedWindows.epoch(c, i);
    if (!settled && !t.knows(index, epoch)) {
      boolean overlap =
          regions && regionRule.withEndedWindow(t, address, common, granule, window, index, epoch);
      reportUnordered(window, overlap);
    }
    int verdict =
        lockset
            ? locksetRule.verdict(ClosedWindows.lockset(c, i), t.held().set())
            : LocksetAnalysis.PROTECTED;
    if (verdict == LocksetAnalysis.PROTECTED) {
      return;
    }
    if (!settled && locksetRule.isConcurrent(t, index, epoch)) {
      report(window, verdict);
      return;
    }
    for (long m = ClosedWindows.others(c, i); m != 0; m &= m - 1) {
      int member = Long.numberOfTrailingZeros(m);
      if (member != index && locksetRule.isConcurrent(t, member, FIRST_EPOCH)) {
        findings.ofStorer(member);
        report(window, verdict);
        return;
      }
    }
  }

  @Override
  public void overwroteAtomic(ThreadState t, long address, int mask, long value) {
    synchronisation.overwrote(t, address, mask, value);
  }

  @Override
  public void forgotAtomic(long address, int mask) {
    synchronisation.forget(address, mask, findings);
  }
}
