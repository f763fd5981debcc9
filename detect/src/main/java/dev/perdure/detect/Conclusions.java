package dev.perdure.detect;

import dev.perdure.detect.finding.FindingWriter;
import dev.perdure.detect.flush.MissingOperations;
import dev.perdure.detect.flush.RedundantOperations;
import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.shadow.Word;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.trace.event.Symbols;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** What the whole trace has shown. */
final class Conclusions {
  private final DetectionOptions options;
  private final Engines engines;

  Conclusions(DetectionOptions options, Engines engines) {
    this.options = options;
    this.engines = engines;
  }

  /**
   * The findings of the whole trace.
   *
   * @param complete whether the run ended by itself: only then is anything missing
   */
  List<Finding> finish(Symbols symbols, boolean complete, LongUnaryOperator ticksToNanos) {
    engines.calm.settleAll();
    MissingOperations missing =
        new MissingOperations(engines.shadow.windows(), engines.synchronisation::isLock);
    if (complete && options.domain().cachesAreVolatile()) {
      engines.shadow.forEachWord((a, w) -> judgeOpen(a, w, missing));
    }
    FindingWriter writer =
        new FindingWriter(symbols, engines.origins, engines.threads, ticksToNanos);
    writer.addRaces(engines.races, options.has(Detector.HB));
    writer.addIntra(engines.taint.ownEffects());
    writer.addMissing(missing, engines.shadow.windows());
    writer.addRedundant(
        FindingKind.REDUNDANT_FLUSH,
        RedundantOperations.find(engines.flushes, engines.origins, symbols));
    if (engines.pm.everNamed() || engines.shadow.ownership().touchedBytes() > 0) {
      // Where no persistent memory is known of, as without --pm, a fence may well have had
      // something to wait for.
      writer.addRedundant(
          FindingKind.REDUNDANT_FENCE,
          RedundantOperations.find(engines.fences, engines.origins, symbols));
    }
    return writer.all();
  }

  private void judgeOpen(int[] a, int w, MissingOperations missing) {
    Windows windows = engines.shadow.windows();
    for (int window = Word.open(a, w); window != 0; window = windows.next(window)) {
      engines.raceCheck.neverEnded(a, w, window);
      if (engines.judgesOperations) {
        missing.judge(window, Word.granule(a, w));
      }
    }
  }

  long overlapsOf(int thread) {
    return engines.races.overlapsOf(engines.threads.of(thread).index());
  }

  List<RecognisedLock> recognisedLocks() {
    return engines.synchronisation.recognisedLocks();
  }

  DetectionStatistics statistics(long events) {
    Map<String, Long> rules = new LinkedHashMap<>();
    rules.put("effective locksets", engines.locksetRule.effectiveLocksets());
    rules.put("ordered by create and join", engines.locksetRule.ordered());
    rules.put("lockset intersections", engines.locksetRule.intersections());
    rules.put("empty intersections", engines.locksetRule.emptyIntersections());
    rules.put("overlapping regions", engines.regionRule.overlaps());
    rules.put("initialisation removed", engines.persistence.removedWindows());
    rules.put("window end happens before load", engines.hbRule.windowBeforeLoad());
    rules.put("window end unordered with load", engines.hbRule.windowRaces());
    rules.put("load happens before store", engines.hbRule.loadBeforeStore());
    rules.put("load unordered with store", engines.hbRule.loadRaces());
    rules.put("observed reads", engines.observedRule.observed());
    rules.put("reads of other values", engines.observedRule.otherValue());
    rules.put("durable effects", engines.taint.effects());
    return new DetectionStatistics(
        events, engines.threads.count(), engines.shadow.ownership().touchedBytes(), rules);
  }
}
