package dev.perdure.trace.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LiveSourceTest {
  /** More than the reader copies at first. */
  private static final int SLOTS = 1024;

  private static final int DEAD_PID = 1000;

  @TempDir Path folder;
  private Recording recording;

  @BeforeEach
  void create() throws Exception {
    recording =
        Recording.create(
            folder.resolve("recording"),
            new RecordingSettings(SLOTS, 1024, Layout.CLOCK_COUNTER, 7, List.of("/mnt/pm")));
  }

  @AfterEach
  void discard() throws Exception {
    recording.discard();
  }

  private RingProducer producer(int thread) throws Exception {
    return new RingProducer(recording, thread, 1, thread);
  }

  private LiveSource source() {
    return new LiveSource(
        recording, (pid, tid) -> pid == DEAD_PID ? Liveness.State.GONE : Liveness.State.RUNNING);
  }

  private static Event store(long time, long value) {
    return new Event()
        .set(
            EventKind.STORE,
            MemoryOrder.info(8, MemoryOrder.PLAIN),
            0,
            time,
            Layout.WINDOW_BASE + 64,
            0,
            0,
            value);
  }

  private static Event block(long time, byte[] bytes) {
    Event e =
        new Event().set(EventKind.STORE_BLOCK, 0, 0, time, Layout.WINDOW_BASE, 0, 0, bytes.length);
    System.arraycopy(bytes, 0, e.resizePayload(bytes.length), 0, bytes.length);
    return e;
  }

  /** Reads on a thread of its own, as a run does; values are "thread:value". */
  private static CompletableFuture<List<String>> read(LiveSource source, AtomicInteger count) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<String> seen = new ArrayList<>();
          Event e = new Event();
          try {
            while (source.next(e)) {
              seen.add(e.thread() + ":" + e.value());
              count.incrementAndGet();
            }
          } catch (IOException x) {
            throw new UncheckedIOException(x);
          }
          return seen;
        });
  }

  private static void awaitCount(AtomicInteger count, int n) throws InterruptedException {
    while (count.get() < n) {
      Thread.sleep(1);
    }
  }

  private static boolean stays(CompletableFuture<?> future) throws Exception {
    try {
      future.get(50, TimeUnit.MILLISECONDS);
      return false;
    } catch (TimeoutException e) {
      return true;
    }
  }

  @Test
  void shouldMergeRingsInOrderOfTime() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    a.write(store(10, 0));
    a.write(store(40, 1));
    b.write(store(20, 2));
    b.write(store(30, 3));
    a.write(store(50, 4));
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get())
        .containsExactly("1:0", "2:2", "2:3", "1:1", "1:4");
  }

  private static Event early(long time, long value) {
    return new Event().set(EventKind.ACQUIRE, EventInfo.LOCK_EARLY, 0, time, 0x10, 0, 0, value);
  }

  @Test
  void shouldMoveEarlyAcquisitionToTheNextEventOfItsThread() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    a.write(early(10, 0));
    a.write(store(40, 1));
    b.write(store(20, 2));
    b.write(store(41, 3));
    LiveSource source = source();
    source.finish();

    Event e = new Event();
    assertThat(source.next(e)).isTrue();
    assertThat(e.value()).isEqualTo(2);
    assertThat(source.next(e)).isTrue();
    assertThat(e.kind()).isEqualTo(EventKind.ACQUIRE);
    assertThat(e.info()).isZero();
    assertThat(e.time()).isEqualTo(40);
    assertThat(read(source, new AtomicInteger()).get()).containsExactly("1:1", "2:3");
    assertThat(source.late()).isZero();
  }

  @Test
  void shouldMoveEarlyAcquisitionNoFurtherThanItCanBeEarly() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    a.write(early(10, 0));
    a.write(store(10 * Layout.EARLY_TICKS, 1));
    b.write(store(9 + Layout.EARLY_TICKS, 2));
    b.write(store(11 + Layout.EARLY_TICKS, 3));
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get()).containsExactly("2:2", "1:0", "2:3", "1:1");
  }

  @Test
  void shouldMoveEarlyAcquisitionToAnEventThatWasNotCopiedYet() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < SLOTS - 10; i++) {
      a.write(early(10L * i, i));
      expected.add("1:" + i);
    }
    a.write(store(10L * SLOTS, SLOTS));
    b.write(store(11L * SLOTS, 0));
    expected.addAll(List.of("1:" + SLOTS, "2:0"));
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get()).isEqualTo(expected);
    assertThat(source.late()).isZero();
  }

  @Test
  void shouldNotWaitForWhatFollowsAnEarlyAcquisition() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    a.write(early(10, 0));
    b.write(store(20, 1));
    awaitCount(count, 1);
    b.write(store(10 + Layout.EARLY_TICKS, 2));
    b.write(store(20 + Layout.EARLY_TICKS, 3));
    awaitCount(count, 4);
    a.write(store(30 + Layout.EARLY_TICKS, 4));
    a.write(early(31 + Layout.EARLY_TICKS, 5));
    source.finish();

    assertThat(seen.get()).containsExactlyInAnyOrder("2:1", "1:0", "2:2", "2:3", "1:4", "1:5");
    assertThat(seen.get().indexOf("1:0")).isBetween(1, 2);
    assertThat(source.late()).isZero();
  }

  private static Event untimed(long value) {
    return new Event()
        .set(
            EventKind.LOAD,
            MemoryOrder.info(8, MemoryOrder.PLAIN),
            0,
            Layout.UNTIMED,
            Layout.WINDOW_BASE,
            0,
            0,
            value);
  }

  @Test
  void shouldGiveUntimedEventsTheTimeOfTheNextEventThatHasOne() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    a.write(store(10, 0));
    a.write(untimed(1));
    a.write(untimed(2));
    a.write(store(40, 3));
    a.write(untimed(4));
    b.write(store(20, 5));
    b.write(store(41, 6));
    LiveSource source = source();
    source.finish();

    List<String> seen = timesOf(source);
    assertThat(seen).startsWith("0@10", "5@20", "1@40", "2@40", "3@40");
    assertThat(seen).hasSize(7).contains("6@41").anyMatch(event -> event.startsWith("4@"));
    assertThat(source.late()).isZero();
  }

  @Test
  void shouldGiveEventsWithTheTimeOfTheLastOneThatTime() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    a.write(store(10, 0));
    a.write(store(Layout.TIME_OF_LAST, 1));
    a.write(untimed(2));
    a.write(store(40, 3));
    a.write(store(Layout.TIME_OF_LAST, 4));
    b.write(store(20, 5));
    LiveSource source = source();
    source.finish();

    assertThat(timesOf(source)).containsExactly("0@10", "1@10", "5@20", "2@40", "3@40", "4@40");
    assertThat(source.late()).isZero();
  }

  /** The reader has told what others did meanwhile, so the event cannot be shown before that. */
  @Test
  void shouldShowAnEventWithTheTimeOfTheLastOneNoEarlierThanWhatIsTold() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    a.write(store(10, 0));
    b.write(store(20, 1));
    b.write(store(30, 2));
    awaitCount(count, 2);
    a.write(store(Layout.TIME_OF_LAST, 3));
    a.write(store(50, 4));
    b.write(store(60, 5));
    source.finish();

    assertThat(seen.get()).hasSize(6).containsSubsequence("1:0", "2:1", "1:3", "1:4", "2:5");
    assertThat(source.late()).isZero();
  }

  private static List<String> timesOf(LiveSource source) throws Exception {
    List<String> seen = new ArrayList<>();
    Event e = new Event();
    while (source.next(e)) {
      seen.add(e.value() + "@" + e.time());
    }
    return seen;
  }

  @Test
  void shouldHoldUntimedEventsBackButNotWhatOthersDoMeanwhile() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    a.write(store(10, 0));
    a.write(untimed(1));
    b.write(store(20, 2));
    b.write(store(30, 3));
    b.write(store(40, 4));
    awaitCount(count, 3);
    a.write(store(50, 5));
    b.write(store(60, 6));
    source.finish();

    assertThat(seen.get()).containsExactly("1:0", "2:2", "2:3", "2:4", "1:1", "1:5", "2:6");
    assertThat(source.late()).isZero();
  }

  @Test
  void shouldTellTheLastUntimedEventsOfADeadThreadWhileOthersGoOn() throws Exception {
    RingProducer dead = new RingProducer(recording, 1, DEAD_PID, 1);
    RingProducer live = producer(2);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    dead.write(store(10, 0));
    dead.write(untimed(1));
    dead.write(untimed(2));
    live.write(store(20, 3));
    awaitCount(count, 3);
    live.write(store(30, 4));
    source.finish();

    assertThat(seen.get()).endsWith("2:4").contains("1:1", "1:2", "2:3");
    assertThat(source.late()).isZero();
  }

  @Test
  void shouldGoOnWithARingWhoseLastThreadDied() throws Exception {
    RingProducer ring = new RingProducer(recording, 1, DEAD_PID, 1);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    ring.write(store(10, 0));
    ring.write(untimed(1));
    awaitCount(count, 2);
    ring.write(untimed(2));
    ring.write(store(40, 3));
    awaitCount(count, 4);
    source.finish();

    assertThat(seen.get()).containsExactly("1:0", "1:1", "1:2", "1:3");
    assertThat(source.late()).isZero();
  }

  @Test
  void shouldSettleEarlyAcquisitionsBeforeUntimedEvents() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    a.write(early(10, 0));
    a.write(untimed(1));
    a.write(store(40, 2));
    b.write(store(20, 3));
    b.write(store(50, 4));
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get())
        .containsExactly("2:3", "1:0", "1:1", "1:2", "2:4");
  }

  @Test
  void shouldReadRingThatWrapsManyTimes() throws Exception {
    LiveSource source = source();
    CompletableFuture<List<String>> seen = read(source, new AtomicInteger());
    RingProducer a = producer(1);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20 * SLOTS; i++) {
      a.write(store(i, i));
      expected.add("1:" + i);
    }
    source.finish();

    assertThat(seen.get()).isEqualTo(expected);
  }

  @Test
  void shouldNotTakeOldPayloadForEvents() throws Exception {
    LiveSource source = source();
    CompletableFuture<List<String>> seen = read(source, new AtomicInteger());
    RingProducer a = producer(1);
    Random random = new Random(1);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      byte[] bytes = new byte[random.nextInt(Layout.BLOCK_MAX + 1)];
      Arrays.fill(bytes, (byte) (random.nextBoolean() ? 0xff : 0x01));
      a.write(block(i, bytes));
      expected.add("1:" + bytes.length);
      for (int j = random.nextInt(40); j > 0; j--) {
        a.write(store(i, 100_000 + j));
        expected.add("1:" + (100_000 + j));
      }
    }
    source.finish();

    assertThat(seen.get()).isEqualTo(expected);
  }

  @Test
  void shouldWaitForSlotThatIsCommittedLate() throws Exception {
    RingProducer a = producer(1);
    RingProducer b = producer(2);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    a.write(store(1, 0));
    awaitCount(count, 1);
    long position = a.claim(1);
    b.write(store(20, 1));
    assertThat(stays(seen)).isTrue();
    assertThat(count).hasValue(1);
    a.commit(position, store(10, 2), 10);
    awaitCount(count, 3);
    source.finish();

    assertThat(seen.get()).containsExactly("1:0", "1:2", "2:1");
  }

  @Test
  void shouldPassAnEventThatSignalHandlersMadeOlderThanAllBehindIt() throws Exception {
    RingProducer a = producer(1);
    a.write(store(1_000_000, 0));
    for (int i = 1; i < SLOTS; i++) {
      a.write(store(i, i));
    }
    AtomicInteger count = new AtomicInteger();
    LiveSource source = source();
    CompletableFuture<List<String>> seen = read(source, count);

    awaitCount(count, SLOTS);
    source.finish();

    assertThat(seen.get()).startsWith("1:0", "1:1").endsWith("1:" + (SLOTS - 1));
  }

  @Test
  void shouldGoOnWhileOtherRingsAreIdle() throws Exception {
    producer(1).write(store(1, 0));
    producer(2);
    RingProducer c = producer(3);
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    c.write(store(5, 1));
    awaitCount(count, 2);
    c.write(store(6, 2));
    awaitCount(count, 3);
    source.finish();

    assertThat(seen.get()).containsExactly("1:0", "3:1", "3:2");
  }

  @Test
  void shouldSkipWhatDeadProducerLeftUncommitted() throws Exception {
    RingProducer dead = new RingProducer(recording, 1, DEAD_PID, 1);
    RingProducer live = producer(2);
    dead.write(store(1, 0));
    dead.claim(1);
    long behind = dead.claim(1);
    dead.commit(behind, store(3, 1), 3);
    dead.claim(1);
    live.write(store(5, 2));
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    awaitCount(count, 3);
    source.finish();

    assertThat(seen.get()).containsExactly("1:0", "1:1", "2:2");
    assertThat(source.skipped()).isEqualTo(2);
  }

  /** A signal handler that leaves a hook by longjmp leaves such a slot. */
  @Test
  void shouldGiveUpSlotWhoseThreadSleeps() throws Exception {
    RingProducer asleep = producer(1);
    asleep.write(store(1, 0));
    asleep.claim(1);
    RingProducer b = producer(2);
    b.write(store(5, 1));
    LiveSource source = new LiveSource(recording, (pid, tid) -> Liveness.State.ASLEEP);
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    awaitCount(count, 2);
    asleep.write(store(7, 2));
    awaitCount(count, 3);
    source.finish();

    assertThat(seen.get()).containsExactly("1:0", "2:1", "1:2");
  }

  /** Events that came long after the others count, too. */
  @Test
  void shouldKeepCommittedEventsOfAnyTimeAtTheEnd() throws Exception {
    RingProducer a = producer(1);
    a.write(store(1, 0));
    a.write(store(1L << 60, 1));
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get()).containsExactly("1:0", "1:1");
  }

  @Test
  void shouldNotTakeUnfinishedPayloadOfDeadProducerForEvents() throws Exception {
    RingProducer dead = new RingProducer(recording, 1, DEAD_PID, 1);
    dead.write(store(1, 0));
    long head = dead.claim(4);
    ByteBuffer looksCommitted = ByteBuffer.allocate(96).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      looksCommitted.putLong(0x7f00deadbeefL).putLong(-1).putLong(-1).putLong(-1);
    }
    dead.scribble(head + 1, looksCommitted.array());
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get()).containsExactly("1:0");
    assertThat(source.skipped()).isEqualTo(4);
  }

  @Test
  void shouldFollowThreadsThatShareOneRing() throws Exception {
    RingProducer ring = producer(1);
    ring.write(store(1, 0));
    ring.write(new Event().set(EventKind.THREAD_BEGIN, 0, 0, 2, 1, 0, 0, 9));
    ring.write(store(3, 5));
    LiveSource source = source();
    source.finish();

    assertThat(read(source, new AtomicInteger()).get()).containsExactly("1:0", "9:9", "9:5");
  }

  @Test
  void shouldGiveRoomBackToProducers() throws Exception {
    RingProducer a = producer(1);
    for (int i = 0; i < SLOTS; i++) {
      a.write(store(i, i));
    }
    LiveSource source = source();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<List<String>> seen = read(source, count);
    awaitCount(count, SLOTS);
    while (a.consumed() < SLOTS) {
      Thread.sleep(1);
    }
    source.finish();

    assertThat(seen.get()).hasSize(SLOTS);
  }

  /**
   * Producers stamp with one shared counter, so the right order is known exactly: times must come
   * out as 1, 2, 3, …
   */
  @Test
  void shouldMergeManyThreadsWithoutLossInExactOrder() throws Exception {
    int threads = 6;
    int each = 60_000;
    AtomicLong clock = new AtomicLong();
    LiveSource source = source();
    CompletableFuture<long[]> verdict =
        CompletableFuture.supplyAsync(
            () -> {
              Event e = new Event();
              long last = 0;
              long[] next = new long[threads + 1];
              long wrong = 0;
              long events = 0;
              try {
                while (source.next(e)) {
                  wrong += e.time() == last + 1 ? 0 : 1;
                  last = e.time();
                  wrong += e.address() == next[e.thread()]++ ? 0 : 1;
                  events++;
                }
              } catch (IOException x) {
                throw new UncheckedIOException(x);
              }
              return new long[] {events, wrong};
            });
    List<Thread> producers = new ArrayList<>();
    for (int t = 1; t <= threads; t++) {
      int thread = t;
      Thread p =
          new Thread(
              () -> {
                try {
                  // Rings appear at different times.
                  Thread.sleep(3L * thread);
                  RingProducer ring = producer(thread);
                  Random random = new Random(thread);
                  for (int i = 0; i < each; i++) {
                    Event e =
                        random.nextInt(20) == 0
                            ? block(0, new byte[random.nextInt(200)])
                            : store(0, i);
                    e.set(e.kind(), e.info(), 0, 0, i, 0, 0, e.value());
                    if (e.kind() == EventKind.STORE_BLOCK) {
                      e.resizePayload((int) e.value());
                    }
                    ring.write(e, clock::incrementAndGet);
                  }
                } catch (Exception x) {
                  throw new IllegalStateException(x);
                }
              });
      producers.add(p);
      p.start();
    }
    for (Thread p : producers) {
      p.join();
    }
    source.finish();

    assertThat(verdict.get()).containsExactly((long) threads * each, 0);
    assertThat(source.late()).isZero();
  }
}
