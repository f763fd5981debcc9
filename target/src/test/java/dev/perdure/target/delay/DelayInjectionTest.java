package dev.perdure.target.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.live.Recording;
import dev.perdure.trace.live.RecordingSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelayInjectionTest {
  private static final int SITE = 1000;

  @TempDir private Path folder;
  private final AtomicLong races = new AtomicLong();
  private Recording recording;
  private DelayInjection delays;

  @BeforeEach
  void start() throws IOException {
    recording = Recording.create(folder.resolve("r"), RecordingSettings.defaults(Layout.CLOCK_TSC));
    delays =
        new DelayInjection(
            recording.schedule(),
            Duration.ofMillis(1),
            0.25,
            thread -> thread == 1 ? races.get() : 0);
  }

  @AfterEach
  void end() throws IOException {
    recording.discard();
  }

  private void see(int kind, int info, int thread, int site) {
    delays.see(new Event().set(kind, info, thread, 0, 0, site, 0, 0));
  }

  private void sleepAndRelease() {
    see(EventKind.DELAY, 0, 1, SITE);
    see(EventKind.RELEASE, 0, 1, SITE);
  }

  private ByteBuffer schedule() throws IOException {
    ByteBuffer all = ByteBuffer.allocate(1 << 17).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel file = FileChannel.open(recording.path())) {
      file.read(all, 0);
    }
    int at = (int) all.getLong(Layout.Header.SCHEDULE_OFFSET);
    return all.slice(at, Layout.Schedule.SIZE).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void shouldDelayAtPlacesOfRelease() throws IOException {
    see(EventKind.RELEASE, 0, 1, SITE);
    see(EventKind.STORE, MemoryOrder.info(8, MemoryOrder.RELEASE), 1, SITE + 1);
    see(EventKind.STORE, MemoryOrder.info(8, MemoryOrder.PLAIN), 1, SITE + 2);
    assertThat(delays.probability(SITE)).isEqualTo(1);
    assertThat(delays.probability(SITE + 1)).isEqualTo(1);
    assertThat(delays.probability(SITE + 2)).isZero();
  }

  @Test
  void shouldDelayBeforeAnyReleaseIsKnown() throws IOException {
    ByteBuffer page = schedule();
    assertThat(page.getInt(Layout.Schedule.ACTIVE)).isPositive();
    assertThat(page.getInt(Layout.Schedule.MOST_ASLEEP)).isEqualTo(Layout.HALF_ASLEEP);
    assertThat(page.getLong(Layout.Schedule.RELEASE_NANOSECONDS)).isEqualTo(1_000_000);
  }

  @Test
  void shouldStopDelayingUnknownPlacesWhenTheTableIsFull() throws IOException {
    for (int site = 1; site <= Layout.SCHEDULE_SLOTS; site++) {
      see(EventKind.DELAY, 0, 1, site);
      see(EventKind.RELEASE, 0, 1, site);
    }
    assertThat(schedule().getLong(Layout.Schedule.RELEASE_NANOSECONDS)).isZero();
  }

  @Test
  void shouldLowerTheProbabilityWhereNothingWasFound() throws IOException {
    see(EventKind.RELEASE, 0, 1, SITE);
    sleepAndRelease();
    assertThat(delays.probability(SITE)).isEqualTo(0.75);
    int entry = Layout.Schedule.ENTRIES + SITE % Layout.SCHEDULE_SLOTS * Layout.ScheduleEntry.SIZE;
    assertThat(schedule().getInt(entry + Layout.ScheduleEntry.SITE)).isEqualTo(SITE);
    assertThat(schedule().getLong(entry + Layout.ScheduleEntry.NANOSECONDS)).isEqualTo(1_000_000);
    long chance = schedule().getInt(entry + Layout.ScheduleEntry.PROBABILITY) & 0xffffffffL;
    assertThat(chance / 4294967295.0).isCloseTo(0.75, within(1e-6));
    for (int i = 0; i < 5; i++) {
      sleepAndRelease();
    }
    assertThat(delays.probability(SITE)).isZero();
  }

  @Test
  void shouldLowerTheProbabilityWhereOnlyOthersWereInARace() {
    see(EventKind.DELAY, 0, 2, SITE);
    races.incrementAndGet();
    see(EventKind.RELEASE, 0, 2, SITE);
    assertThat(delays.probability(SITE)).isEqualTo(0.75);
  }

  @Test
  void shouldKeepTheProbabilityWhereARaceWasFound() {
    see(EventKind.RELEASE, 0, 1, SITE);
    see(EventKind.DELAY, 0, 1, SITE);
    races.incrementAndGet();
    see(EventKind.RELEASE, 0, 1, SITE);
    assertThat(delays.probability(SITE)).isEqualTo(1);
  }
}
