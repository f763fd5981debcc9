package dev.perdure.fuzz.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import org.junit.jupiter.api.Test;

class SpinningThreadsTest {
  private static final long LOCK = 0x200000000040L;
  private static final long TABLE = LOCK + 64;
  private static final int TAKING = 20;
  private static final int MANY = 100;

  private final SpinningThreads threads = new SpinningThreads();

  private void event(int kind, int thread, long address, int site) {
    threads.accept(new Event().set(kind, 8, thread, 0, address, site, 0, 1));
  }

  private void take() {
    event(EventKind.STORE, 1, LOCK, TAKING);
  }

  @Test
  void shouldFindWhoTookTheLockThatOthersWaitFor() {
    take();
    event(EventKind.STORE, 1, TABLE, 30);
    for (int i = 0; i < MANY; i++) {
      event(EventKind.LOAD, 2, TABLE, 40);
      event(EventKind.CAS_FAILED, 2, LOCK, 41);
    }
    event(EventKind.LOAD, 2, TABLE, 40);
    assertThat(threads.waitedFor()).contains(new SpinningThreads.Step(TAKING, 0));
  }

  @Test
  void shouldNotTakeAThreadThatGetsOnForOneThatWaits() {
    take();
    for (int i = 0; i < MANY; i++) {
      event(EventKind.LOAD, 2, LOCK + 8 * i, 40);
    }
    assertThat(threads.waitedFor()).isEmpty();
  }

  @Test
  void shouldNotTakeAThreadThatChangesSomethingForOneThatWaits() {
    take();
    for (int i = 0; i < MANY; i++) {
      event(EventKind.LOAD, 2, LOCK, 40);
    }
    event(EventKind.STORE, 2, TABLE, 41);
    assertThat(threads.waitedFor()).isEmpty();
  }

  @Test
  void shouldForgetThreadsThatHaveEnded() {
    take();
    for (int i = 0; i < MANY; i++) {
      event(EventKind.LOAD, 2, LOCK, 40);
    }
    event(EventKind.THREAD_END, 2, 0, 0);
    assertThat(threads.waitedFor()).isEmpty();
  }
}
