package dev.perdure.fuzz.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.RecognisedLock;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LockTakingsTest {
  private static final long LOCK = 0x200000000040L;
  private static final long OTHER = LOCK + 64;

  private static Event store(long address, long value, int site) {
    return new Event().set(EventKind.STORE, 4, 1, 0, address, site, 0, value);
  }

  private static LockTakings takings(Set<Integer> judged, Event... events) {
    LockTakings takings = new LockTakings(List.of(new RecognisedLock(LOCK, 4, 0, -1)), judged);
    for (Event e : events) {
      takings.next(e);
    }
    return takings;
  }

  @Test
  void shouldFindTheFirstTakingOfEachSite() {
    LockTakings takings =
        takings(
            Set.of(),
            store(OTHER, 1, 10),
            store(LOCK, 1, 20),
            store(LOCK, 0, 30),
            store(LOCK, 1, 20),
            store(LOCK, 7, 40));
    assertThat(takings.positions(8)).containsExactly(2L, 5L);
    assertThat(takings.sites(8)).containsExactly(20, 40);
  }

  @Test
  void shouldLeaveOutWhatWasLookedAtBefore() {
    LockTakings takings = takings(Set.of(20), store(LOCK, 1, 20), store(LOCK, 1, 40));
    assertThat(takings.positions(8)).containsExactly(2L);
  }

  @Test
  void shouldTakeNoMoreThanIsAskedFor() {
    LockTakings takings = takings(Set.of(), store(LOCK, 1, 20), store(LOCK, 1, 40));
    assertThat(takings.positions(1)).containsExactly(1L);
    assertThat(takings.sites(1)).containsExactly(20);
  }
}
