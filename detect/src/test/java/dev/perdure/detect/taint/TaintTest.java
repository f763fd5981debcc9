package dev.perdure.detect.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores X, site 2 loads it, site 3 writes what depends on it. */
class TaintTest {
  private static final long X = Trace.PM + 64;
  private static final long Y = Trace.PM + 256;
  private static final String OBSERVED = "persistency-race store=1 load=2 observed-read";
  private static final String HARMFUL =
      "persistency-race store=1 load=2 effect=3 observed-read,durable-effect";
  private static final String INTRA = "intra-thread-inconsistency store=1 load=2 effect=3";

  private static Set<String> findings(Trace trace) {
    return trace.findings(
        new DetectionOptions(Set.of(Detector.TAINT), PersistenceDomain.ADR, true, false));
  }

  private static Trace stored() {
    return new Trace().start(2).at(1).store(X, 8, 7);
  }

  private static Trace labelledLoad(Trace trace, int label, int parent, long address, long value) {
    return trace
        .event(EventKind.LABEL, 0, address, (long) parent << 32 | label)
        .at(2)
        .load(address, 8, value);
  }

  private static Trace effect(Trace trace, int content, int address, long to, int length) {
    byte[] payload = {(byte) length, 0, 0, 0, 0, 0, 0, 0};
    return trace
        .at(3)
        .event(
            EventKind.EFFECT, EventInfo.EFFECT_STORE, to, (long) address << 32 | content, payload);
  }

  @Test
  void shouldReportStoreOfWhatAnotherThreadHasNotPersisted() {
    Trace trace = labelledLoad(stored().on(2), 5, 0, X, 7);
    assertThat(findings(effect(trace, 5, 0, Y, 8))).containsExactly(HARMFUL);
  }

  @Test
  void shouldReportStoreToWhereAnUnpersistedReadLeads() {
    Trace trace = labelledLoad(stored().on(2), 5, 0, X, 7);
    assertThat(findings(effect(trace, 0, 5, Y, 8))).containsExactly(HARMFUL);
  }

  @Test
  void shouldStayAtObservedWithoutEffect() {
    Trace trace = labelledLoad(stored().on(2), 5, 0, X, 7);
    assertThat(findings(effect(trace, 6, 9, Y, 8))).containsExactly(OBSERVED);
  }

  @Test
  void shouldReportOutputToFile() {
    Trace trace = labelledLoad(stored().on(2), 5, 0, X, 7);
    byte[] payload = {8, 0, 0, 0, 0, 0, 0, 0};
    trace.at(3).event(EventKind.EFFECT, EventInfo.EFFECT_FILE, 0, 5, payload);
    assertThat(findings(trace)).containsExactly(HARMFUL);
  }

  @Test
  void shouldNotReportEffectAfterAnybodyHasPersistedTheBytes() {
    Trace byWriter = labelledLoad(stored().on(2), 5, 0, X, 7).on(1).persist(X).on(2);
    assertThat(findings(effect(byWriter, 5, 0, Y, 8))).containsExactly(OBSERVED);
    Trace byReader = labelledLoad(stored().on(2), 5, 0, X, 7).persist(X);
    assertThat(findings(effect(byReader, 5, 0, Y, 8))).containsExactly(OBSERVED);
  }

  @Test
  void shouldTakeWhatOneTransactionDoesForOne() {
    assertThat(findings(inTransaction(X, Y))).isEmpty();
    assertThat(findings(inTransaction(X, X))).containsExactly(INTRA);
    assertThat(findings(inTransaction(Y, Y))).containsExactly(INTRA);
    Trace ended = stored().event(EventKind.TX_BEGIN, 0, 0, 0);
    ended.event(EventKind.TX_ADD, 0, X, 8).event(EventKind.TX_ADD, 0, Y, 8);
    ended.event(EventKind.TX_END, 0, 0, 0);
    assertThat(findings(effect(labelledLoad(ended, 5, 0, X, 7), 5, 0, Y, 8)))
        .containsExactly(INTRA);
  }

  private static Trace inTransaction(long logged, long alsoLogged) {
    Trace trace = new Trace().start(2).event(EventKind.TX_BEGIN, 0, 0, 0);
    trace.event(EventKind.TX_ADD, 0, logged, 8).event(EventKind.TX_ADD, 0, alsoLogged, 8);
    trace.at(1).store(X, 8, 7);
    return effect(labelledLoad(trace, 5, 0, X, 7), 5, 0, Y, 8);
  }

  @Test
  void shouldFollowUnionsAndLabelsThatContainOthers() {
    Trace union = labelledLoad(stored().on(2), 5, 0, X, 7);
    union.event(EventKind.LABEL_UNION, 0, 9, 4L << 32 | 5);
    assertThat(findings(effect(union, 9, 0, Y, 8))).containsExactly(HARMFUL);
    Trace parent = labelledLoad(stored().on(2), 5, 0, X, 7);
    parent.event(EventKind.LABEL, 0, Y + 64, 5L << 32 | 6).at(4).load(Y + 64, 8, 0);
    assertThat(findings(effect(parent, 6, 0, Y, 8))).containsExactly(HARMFUL);
  }

  @Test
  void shouldReportWhatAThreadMakesOfItsOwnUnpersistedBytes() {
    Trace trace = labelledLoad(stored(), 5, 0, X, 7);
    assertThat(findings(effect(trace, 5, 0, Y, 8))).containsExactly(INTRA);
  }

  @Test
  void shouldNotTakeAWriteToTheUnpersistedBytesThemselvesForAnEffect() {
    Trace trace = labelledLoad(stored(), 5, 0, X, 7);
    assertThat(findings(effect(trace, 5, 0, X, 8))).isEmpty();
    Trace wider = labelledLoad(stored(), 5, 0, X, 7);
    assertThat(findings(effect(wider, 5, 0, X, 16))).containsExactly(INTRA);
  }

  @Test
  void shouldNotReportLoadsAndEffectsInRelaxedBlocks() {
    Trace load = stored().on(2).event(EventKind.RELAXED_BEGIN, 0, 0, 0);
    labelledLoad(load, 5, 0, X, 7).event(EventKind.RELAXED_END, 0, 0, 0);
    assertThat(findings(effect(load, 5, 0, Y, 8))).isEmpty();
    Trace write = labelledLoad(stored().on(2), 5, 0, X, 7);
    write.event(EventKind.RELAXED_BEGIN, 0, 0, 0);
    assertThat(findings(effect(write, 5, 0, Y, 8))).containsExactly(OBSERVED);
  }

  @Test
  void shouldNotReportLoadThatReturnedAnotherValue() {
    Trace trace = labelledLoad(stored().on(2), 5, 0, X, 6);
    assertThat(findings(effect(trace, 5, 0, Y, 8))).isEmpty();
  }

  @Test
  void shouldJudgeACopyWhoseLoadIsRecordedBehindItsStore() {
    Trace trace = stored().on(2).event(EventKind.LABEL, 0, X, 5);
    effect(trace, 5, 0, Y, 8).at(3).storeBlock(Y, new byte[8]).at(2).loadBlock(X, 8);
    assertThat(findings(trace)).containsExactly(HARMFUL);
  }

  @Test
  void shouldKeepDependenciesOfBytesThatWereWrittenAsAWholeLine() {
    Trace trace = new Trace().start(2).at(1).storeBlock(X, new byte[64]);
    labelledLoad(trace.on(2), 5, 0, X + 8, 0);
    assertThat(findings(effect(trace, 5, 0, Y, 8))).containsExactly(HARMFUL);
  }
}
