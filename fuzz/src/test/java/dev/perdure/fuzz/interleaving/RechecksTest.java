package dev.perdure.fuzz.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventKind;
import org.junit.jupiter.api.Test;

class RechecksTest {
  private static final long X = 0x200000000040L;
  private static final int LOOK = 10;
  private static final int LOOK_AGAIN = 11;
  private static final int REMOVE = 20;

  private final Rechecks rechecks = new Rechecks();

  private void access(int kind, int thread, long address, int site) {
    EventHandler.dispatch(new Event().set(kind, 8, thread, 0, address, site, 0, 0), rechecks);
  }

  @Test
  void shouldFindLoadsThatAStoreOfAnotherThreadCouldOvertake() {
    access(EventKind.LOAD, 1, X, LOOK);
    access(EventKind.LOAD, 1, X, LOOK_AGAIN);
    access(EventKind.STORE, 2, X, REMOVE);
    assertThat(rechecks.overtakable()).containsExactly(new Meeting(LOOK, REMOVE));
    assertThat(rechecks.overtaken()).isEmpty();
  }

  @Test
  void shouldLeaveOutLoadsThatOnlySearch() {
    access(EventKind.LOAD, 1, X, LOOK);
    access(EventKind.LOAD, 1, X + 8, LOOK);
    access(EventKind.STORE, 2, X, REMOVE);
    access(EventKind.STORE, 2, X + 8, REMOVE);
    access(EventKind.LOAD, 1, X, LOOK_AGAIN);
    assertThat(rechecks.overtaken()).isEmpty();
    access(EventKind.LOAD, 1, X + 8, LOOK_AGAIN);
    assertThat(rechecks.overtaken()).containsExactly(new Meeting(LOOK, REMOVE));
  }

  @Test
  void shouldKnowLoadsThatWereOvertaken() {
    access(EventKind.LOAD, 1, X, LOOK);
    access(EventKind.STORE, 2, X, REMOVE);
    access(EventKind.LOAD, 1, X, LOOK_AGAIN);
    assertThat(rechecks.overtaken()).containsExactly(new Meeting(LOOK, REMOVE));
  }

  @Test
  void shouldKnowTwoLoadsInOneLine() {
    access(EventKind.LOAD, 1, X, LOOK);
    access(EventKind.STORE, 2, X, REMOVE);
    access(EventKind.LOAD, 1, X, LOOK);
    assertThat(rechecks.overtaken()).containsExactly(new Meeting(LOOK, REMOVE));
  }

  @Test
  void shouldNotTakeTheThreadsOwnStoreForOvertaking() {
    access(EventKind.LOAD, 1, X, LOOK);
    access(EventKind.STORE, 1, X, REMOVE);
    access(EventKind.LOAD, 1, X, LOOK_AGAIN);
    assertThat(rechecks.overtakable()).isEmpty();
    assertThat(rechecks.overtaken()).isEmpty();
  }

  @Test
  void shouldLeaveOutWordsOfAtomicOperations() {
    access(EventKind.LOAD, 1, X, LOOK);
    access(EventKind.RMW, 2, X, REMOVE);
    access(EventKind.LOAD, 1, X, LOOK_AGAIN);
    assertThat(rechecks.overtakable()).isEmpty();
    assertThat(rechecks.overtaken()).isEmpty();
  }

  @Test
  void shouldLeaveOutWordsThatAreLookedAtAgainMuchLater() {
    access(EventKind.LOAD, 1, X, LOOK);
    for (int i = 1; i < 100; i++) {
      access(EventKind.LOAD, 1, X + 8 * i, LOOK);
    }
    access(EventKind.LOAD, 1, X, LOOK_AGAIN);
    access(EventKind.STORE, 2, X, REMOVE);
    assertThat(rechecks.overtakable()).isEmpty();
  }
}
