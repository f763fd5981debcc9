package dev.perdure.fuzz.area;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleTextTest {
  private static final Schedule SCHEDULE =
      new Schedule(
          AreaLayout.STRATEGY_SYNC_POINTS,
          -7,
          Duration.ofMillis(5),
          Duration.ofMillis(120),
          Duration.ZERO,
          Waits.BEHIND_LOADS,
          List.of(3L, 9L),
          List.of(new SyncPoint(17, true, 2), new SyncPoint(17, false, 0)));

  @TempDir Path folder;

  @Test
  void shouldReadWhatItWrote() {
    assertThat(ScheduleText.parse(ScheduleText.of(SCHEDULE))).isEqualTo(SCHEDULE);
  }

  @Test
  void shouldNameTheLineThatItCannotRead() {
    assertThatThrownBy(() -> ScheduleText.parse("seed 1\nload x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("load x");
  }

  @Test
  void shouldMakeAnAreaWithoutAnythingReached() throws Exception {
    ExplorationArea area = ExplorationArea.create(folder.resolve("area"), SCHEDULE, false);
    assertThat(area.branches().isEmpty()).isTrue();
    assertThat(area.disabledLoads()).isEmpty();
    assertThat(area.signalled()).isFalse();
    assertThat(area.accesses()).isZero();
  }
}
