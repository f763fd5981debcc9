package dev.perdure.detect;

import dev.perdure.detect.finding.EvidenceBits;
import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.finding.Sighting;
import dev.perdure.detect.hb.HappensBefore;
import dev.perdure.detect.lockset.LocksetAnalysis;
import dev.perdure.detect.observed.ObservedReads;
import dev.perdure.detect.shadow.ClosedWindows;
import dev.perdure.detect.shadow.LoadObserver;
import dev.perdure.detect.shadow.LoadRecords;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.shadow.WindowObserver;
import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.shadow.Word;
import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.ThreadState;
import dev.perdure.trace.event.Event;

/**
 * Walks the records of a word and asks the rule of each detector about every pair of a window and a
 * load: when a store is made, when a window ends, and when a load is made.
 */
final class RaceCheck implements WindowObserver, LoadObserver {
  private final boolean lockset;
  private final boolean hb;
  private final boolean observed;
  private final ShadowPm shadow;
  private final Windows windows;
  private final LoadRecords loads;
  private final ClosedWindows closed;
  private final LocksetAnalysis locksetRule;
  private final HappensBefore hbRule;
  private final ObservedReads observedRule;
  private final RaceFindings findings;
  private final Synchronisation synchronisation;
  private final Sighting sighting = new Sighting();

  RaceCheck(
      DetectionOptions options,
      ShadowPm shadow,
      LocksetAnalysis locksetRule,
      HappensBefore hbRule,
      ObservedReads observedRule,
      RaceFindings findings,
      Synchronisation synchronisation) {
    this.lockset = options.has(Detector.LOCKSET);
    this.hb = options.has(Detector.HB);
    this.observed = options.has(Detector.OBSERVED);
    this.shadow = shadow;
    this.windows = shadow.windows();
    this.loads = shadow.loads();
    this.closed = shadow.closed();
    this.locksetRule = locksetRule;
    this.hbRule = hbRule;
    this.observedRule = observedRule;
    this.findings = findings;
    this.synchronisation = synchronisation;
  }

  @Override
  public void opened(int[] a, int w, int window, ThreadState t) {
    int n = loads.count(a, w);
    if (n == 0 || !hb || windows.is(window, Windows.EXEMPT)) {
      return;
    }
    if (Word.loadsAreBefore(a, w, t)) {
      hbRule.countAllBefore();
      return;
    }
    int[] c = loads.cells(a, w);
    int mask = windows.mask(window);
    boolean allBefore = true;
    for (int k = 0, i = loads.first(a, w); k < n; k++, i += LoadRecords.CELL) {
      if (t.knows(LoadRecords.index(c, i), LoadRecords.epoch(c, i))) {
        continue;
      }
      allBefore = false;
      int common = LoadRecords.mask(c, i) & mask;
      if (common != 0) {
        hbRule.countEarlierLoad();
        findings.report(window, recorded(c, i, window, common), EvidenceBits.HAPPENS_BEFORE);
      }
    }
    if (allBefore) {
      Word.setLoadFrontier(a, w, t);
    }
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
    checkLoads(a, w, window, effective);
    return effective;
  }

  /** The run is over and the window is still open: nothing protects it. */
  void neverEnded(int[] a, int w, int window) {
    if (lockset && !windows.is(window, Windows.EXEMPT)) {
      checkLoads(a, w, window, Locksets.EMPTY);
    }
  }

  private void checkLoads(int[] a, int w, int window, int effective) {
    int n = loads.count(a, w);
    if (n == 0 || protectsAll(effective, loads.commonLockset(a, w))) {
      return;
    }
    int[] c = loads.cells(a, w);
    int mask = windows.mask(window);
    for (int k = 0, i = loads.first(a, w); k < n; k++, i += LoadRecords.CELL) {
      int common = LoadRecords.mask(c, i) & mask;
      if (common == 0
          || !locksetRule.isConcurrent(window, LoadRecords.index(c, i), LoadRecords.epoch(c, i))) {
        continue;
      }
      int verdict = locksetRule.verdict(effective, LoadRecords.lockset(c, i));
      if (verdict == LocksetAnalysis.UNPROTECTED) {
        findings.report(window, recorded(c, i, window, common), EvidenceBits.LOCKSET);
      } else if (verdict != LocksetAnalysis.PROTECTED) {
        findings.reportUnlessLock(window, recorded(c, i, window, common), verdict);
      }
    }
  }

  private boolean protectsAll(int effective, int held) {
    return held >= 0 && locksetRule.verdict(effective, held) == LocksetAnalysis.PROTECTED;
  }

  private Sighting recorded(int[] c, int i, int window, int common) {
    return sighting
        .load(
            LoadRecords.origin(c, i),
            LoadRecords.index(c, i),
            LoadRecords.epoch(c, i),
            LoadRecords.lockset(c, i),
            -1)
        .at(windows.address(window), common, shadow.granule(window));
  }

  @Override
  public boolean loaded(
      int[] a,
      int w,
      long address,
      int mask,
      long value,
      boolean known,
      int granule,
      ThreadState t,
      Event e,
      int origin) {
    sighting.load(origin, t.index(), t.clock(), t.held().set(), e.time());
    int n = closed.count(a, w);
    if (n > 0 && !areAllOrdered(a, w, t)) {
      int[] c = closed.cells(a, w);
      for (int k = 0, i = closed.first(a, w); k < n; k++, i += ClosedWindows.CELL) {
        int common = ClosedWindows.mask(c, i) & mask;
        if (common != 0 && !closed.isSettledFor(c, i, t)) {
          checkClosed(c, i, t, address, common, granule);
        }
      }
    }
    for (int window = Word.open(a, w); window != 0; window = windows.next(window)) {
      int common = windows.mask(window) & mask;
      if (common != 0 && !windows.isOf(window, t) && !windows.is(window, Windows.EXEMPT)) {
        int evidence = hb ? EvidenceBits.HAPPENS_BEFORE : 0;
        if (observed && observedRule.returned(window, common, value, known)) {
          evidence |= EvidenceBits.OBSERVED_READ;
        }
        if (evidence != 0) {
          findings.report(window, sighting.at(address, common, granule), evidence);
        }
      }
    }
    return lockset || hb;
  }

  /** One look at the frontier and at the common lockset answers for all windows, mostly. */
  private boolean areAllOrdered(int[] a, int w, ThreadState t) {
    return (!hb || Word.endsAreBefore(a, w, t))
        && (!lockset || protectsAll(closed.commonLockset(a, w), t.held().set()));
  }

  private void checkClosed(int[] c, int i, ThreadState t, long address, int common, int granule) {
    int endIndex = closed.endIndex(c, i);
    int endEpoch = ClosedWindows.endEpoch(c, i);
    int evidence = hb && hbRule.races(t, endIndex, endEpoch) ? EvidenceBits.HAPPENS_BEFORE : 0;
    if (lockset && locksetRule.isConcurrent(t, endIndex, endEpoch)) {
      int verdict = locksetRule.verdict(ClosedWindows.lockset(c, i), t.held().set());
      if (verdict == LocksetAnalysis.UNPROTECTED) {
        evidence |= EvidenceBits.LOCKSET;
      } else if (verdict != LocksetAnalysis.PROTECTED) {
        findings.reportUnlessLock(
            ClosedWindows.window(c, i), sighting.at(address, common, granule), verdict);
      }
    }
    if (evidence != 0) {
      findings.report(ClosedWindows.window(c, i), sighting.at(address, common, granule), evidence);
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
