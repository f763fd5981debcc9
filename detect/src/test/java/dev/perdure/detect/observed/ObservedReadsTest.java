package dev.perdure.detect.observed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.DetectionOptions;
import dev.perdure.detect.Detector;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.memory.PersistenceDomain;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Site 1 stores, site 2 loads. */
class ObservedReadsTest {
  private static final long X = Trace.PM + 64;
  private static final String SEEN = "persistency-race store=1 load=2 observed-read";

  private static Set<String> observed(Trace trace) {
    return trace.findings(
        new DetectionOptions(Set.of(Detector.OBSERVED), PersistenceDomain.ADR, true, false));
  }

  private static Trace stored() {
    return new Trace().start(2).at(1).store(X, 8, 0x0102030405060708L);
  }

  @Test
  void shouldReportLoadThatReturnedDirtyBytes() {
    assertThat(observed(stored().on(2).at(2).load(X, 8, 0x0102030405060708L)))
        .containsExactly(SEEN);
  }

  @Test
  void shouldReportLoadThatReturnedPendingBytes() {
    assertThat(observed(stored().clwb(X).on(2).at(2).load(X + 2, 2, 0x0506))).containsExactly(SEEN);
  }

  @Test
  void shouldNotReportLoadThatReturnedAnotherValue() {
    assertThat(observed(stored().on(2).at(2).load(X, 8, 0))).isEmpty();
    assertThat(observed(stored().on(2).at(2).load(X, 4, 0x05060709))).isEmpty();
  }

  @Test
  void shouldNotReportPersistedBytesNorOnesOwnNorOtherBytes() {
    assertThat(observed(stored().persist(X).on(2).at(2).load(X, 8, 0x0102030405060708L))).isEmpty();
    assertThat(observed(stored().at(2).load(X, 8, 0x0102030405060708L))).isEmpty();
    assertThat(observed(stored().on(2).at(2).load(X + 8, 8, 0))).isEmpty();
  }

  @Test
  void shouldReportTheSecondLookThatGetsTheValue() {
    Trace trace = stored().on(2).at(2).load(X, 8, 0);
    assertThat(observed(trace.at(2).load(X, 8, 0x0102030405060708L))).containsExactly(SEEN);
  }

  @Test
  void shouldTakeBlockLoadsAsTheyStand() {
    assertThat(observed(stored().on(2).at(2).loadBlock(X - 10, 100))).containsExactly(SEEN);
  }

  @Test
  void shouldCompareBytesOfBlocksThatCoverWholeLines() {
    byte[] bytes = new byte[128];
    Arrays.setAll(new Integer[128], i -> (int) (bytes[i] = (byte) i));
    Trace trace = new Trace().start(2).at(1).storeBlock(X, bytes);
    assertThat(observed(trace.on(2).at(2).load(X + 66, 2, 0x4243).at(3).load(X + 65, 1, 0x41)))
        .containsExactly("persistency-race store=1 load=3 observed-read");
  }

  @Test
  void shouldReportReadsOfAllocatedBytesThatNobodyWrote() {
    Trace trace = new Trace().start(2).at(1).alloc(X, 64).on(2).at(2).load(X + 8, 8, 0);
    assertThat(observed(trace)).containsExactly(SEEN);
  }
}
