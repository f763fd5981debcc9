package dev.perdure.detect;

import dev.perdure.detect.calm.CalmLines;
import dev.perdure.detect.finding.RaceFindings;
import dev.perdure.detect.flush.Operations;
import dev.perdure.detect.hb.HappensBefore;
import dev.perdure.detect.lockset.LocksetAnalysis;
import dev.perdure.detect.observed.ObservedReads;
import dev.perdure.detect.regions.OpenRegions;
import dev.perdure.detect.regions.RegionOverlap;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.detect.shadow.Accesses;
import dev.perdure.detect.shadow.Blocks;
import dev.perdure.detect.shadow.LineHistory;
import dev.perdure.detect.shadow.PendingFlushes;
import dev.perdure.detect.shadow.Persistence;
import dev.perdure.detect.shadow.PmRanges;
import dev.perdure.detect.shadow.ShadowPm;
import dev.perdure.detect.sync.LockRegistry;
import dev.perdure.detect.sync.Locks;
import dev.perdure.detect.sync.Locksets;
import dev.perdure.detect.sync.Moments;
import dev.perdure.detect.sync.OrderClocks;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.Threads;
import dev.perdure.detect.taint.TaintAnalysis;

/** The engines of a trace, wired as the options ask for it: what all that analyses it shares. */
final class Engines {
  private final DetectionOptions options;
  final boolean findsRaces;
  final boolean judgesOperations;
  final boolean followsData;
  final boolean opensRegions;
  final boolean knowsCalm;
  final TaintAnalysis taint;
  final Origins origins = new Origins();
  private final Locksets sets = new Locksets();
  private final LockRegistry registry = new LockRegistry();
  private final OrderClocks orders = new OrderClocks();
  private final Moments moments = new Moments();
  final OpenRegions openRegions = new OpenRegions(moments);
  final Threads threads;
  final Locks locks;
  final Synchronisation synchronisation = new Synchronisation(registry);
  final PmRanges pm = new PmRanges();
  final PendingFlushes pending = new PendingFlushes();
  final ShadowPm shadow;
  final Persistence persistence;
  final Accesses accesses;
  final CalmLines calm;
  final Blocks blocks;
  final RaceFindings races;
  final RaceCheck raceCheck;
  final LocksetAnalysis locksetRule;
  final HappensBefore hbRule = new HappensBefore();
  final ObservedReads observedRule;
  final RegionOverlap regionRule;
  final Operations flushes = new Operations();
  final Operations fences = new Operations();

  Engines(DetectionOptions options) {
    this.options = options;
    boolean hasWindows = options.domain().cachesAreVolatile();
    boolean keepsClosed =
        options.has(Detector.LOCKSET)
            || options.has(Detector.HB)
            || options.has(Detector.REGIONS)
            || options.has(Detector.TAINT);
    findsRaces = hasWindows && (keepsClosed || options.has(Detector.OBSERVED));
    followsData = hasWindows && options.has(Detector.TAINT);
    opensRegions =
        hasWindows && options.has(Detector.REGIONS) && options.starts() == RegionStart.STATIC;
    knowsCalm = hasWindows && keepsClosed && !followsData && !opensRegions;
    judgesOperations = hasWindows && options.has(Detector.FLUSH);
    threads = new Threads(sets, options.insideLibraries(), pending::isEmpty, moments);
    locks = new Locks(registry, threads);
    shadow = new ShadowPm(origins, threads, sets, pending, !followsData);
    locksetRule = new LocksetAnalysis(sets, orders, threads, shadow.windows());
    observedRule = new ObservedReads(shadow.windows());
    regionRule =
        new RegionOverlap(
            options.regions(), options.starts(), openRegions, moments, shadow.windows(), threads);
    races =
        new RaceFindings(
            shadow.windows(), origins, threads, sets, registry, synchronisation::isLock);
    taint = new TaintAnalysis(shadow, observedRule, races, synchronisation::isLock);
    raceCheck =
        new RaceCheck(
            options, shadow, locksetRule, hbRule, observedRule, regionRule, races, synchronisation);
    persistence =
        new Persistence(shadow, orders, raceCheck, hasWindows, options.initRemoval(), keepsClosed);
    accesses = new Accesses(shadow, persistence, raceCheck);
    calm =
        new CalmLines(
            shadow, persistence, accesses, new LineHistory(shadow, threads, this::effective));
    persistence.setUnmadeLines(calm);
    blocks = new Blocks(shadow, persistence, orders, raceCheck, hasWindows);
  }

  /** The effective lockset of windows that were opened and ended under a lockset. */
  private int effective(int lockset) {
    return options.has(Detector.LOCKSET) ? sets.exclusive(lockset) : Locksets.EMPTY;
  }
}
