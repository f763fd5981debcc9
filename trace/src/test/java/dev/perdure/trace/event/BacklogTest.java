package dev.perdure.trace.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.trace.RandomEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BacklogTest {
  private final List<String> given = new ArrayList<>();

  /** Batches of all sizes. */
  private EventSource random(long seed, int count) {
    RandomEvents random = new RandomEvents(seed);
    return new BatchedSource() {
      @Override
      protected boolean read(EventBatch batch) {
        batch.clear();
        int size = Math.min(count - given.size(), 1 + given.size() % BATCH);
        for (int i = 0; i < size; i++) {
          Event e = random.next();
          given.add(RandomEvents.describe(e));
          batch.add(e);
        }
        return size > 0;
      }
    };
  }

  private static List<String> all(Backlog backlog) throws IOException {
    List<String> taken = new ArrayList<>();
    for (EventBatch batch = backlog.next(); batch != null; batch = backlog.next()) {
      Event e = new Event();
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i, e);
        taken.add(RandomEvents.describe(e));
      }
    }
    return taken;
  }

  private static EventSource endless(AtomicInteger reads) {
    return new BatchedSource() {
      @Override
      protected boolean read(EventBatch batch) {
        batch.clear();
        batch.add(new Event().set(EventKind.FENCE, 0, 1, 1, 0, 0, 0, 0));
        reads.incrementAndGet();
        return true;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1000})
  void shouldGiveAllEventsInOrder(int most) throws Exception {
    try (Backlog backlog = Backlog.of(random(5, 50_000), most)) {
      assertThat(all(backlog)).hasSize(50_000).isEqualTo(given);
    }
  }

  @Test
  void shouldReadNoFurtherThanItHasRoom() throws Exception {
    int most = 3;
    AtomicInteger reads = new AtomicInteger();
    try (Backlog backlog = Backlog.of(endless(reads), most)) {
      for (int taken = 1; taken <= 50; taken++) {
        assertThat(backlog.next()).isNotNull();
        while (backlog.reader().getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
        // As many lie in the backlog, and as many were taken from it at once.
        assertThat(reads.get()).isLessThanOrEqualTo(taken + 2 * most);
      }
    }
  }

  @Test
  void shouldFillTheBacklogInTurnsAsLongAsTheSourceHasMore() throws Exception {
    int most = 16;
    AtomicInteger reads = new AtomicInteger();
    EventSource full =
        new BatchedSource() {
          @Override
          protected boolean read(EventBatch batch) {
            batch.clear();
            while (!batch.isFull()) {
              batch.add(new Event().set(EventKind.FENCE, 0, 1, 1, 0, 0, 0, 0));
            }
            reads.incrementAndGet();
            return true;
          }
        };
    try (Backlog backlog = Backlog.of(full, most)) {
      for (int taken = 1; taken <= most; taken++) {
        assertThat(backlog.next()).isNotNull();
        // While one takes what was filled, nothing more is read until an eighth is left.
        if (taken <= most - most / 8) {
          assertThat(reads.get()).isEqualTo(most);
        }
      }
    }
  }

  @Test
  void shouldThrowWhatTheSourceThrewOnceAllEventsAreTaken() throws Exception {
    EventSource source = random(6, 10);
    EventSource broken =
        new BatchedSource() {
          @Override
          protected boolean read(EventBatch batch) throws IOException {
            if (!source.next(batch)) {
              throw new IOException("cut off");
            }
            return true;
          }
        };
    List<EventBatch> batches = new ArrayList<>();
    try (Backlog backlog = Backlog.of(broken, 100)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  batches.add(backlog.next());
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessage("cut off");
    }
    assertThat(batches).hasSize(4).doesNotContainNull();
  }

  @Test
  void shouldStopReadingWhenItIsClosed() throws Exception {
    Thread reader;
    try (Backlog backlog = Backlog.of(endless(new AtomicInteger()), 2)) {
      backlog.next();
      reader = backlog.reader();
    }
    reader.join();
    assertThat(reader.isAlive()).isFalse();
  }
}
