package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AwakeClockTest {
  private static final long MILLISECOND = 1_000_000;
  private long wall = 7;
  private final AwakeClock clock = new AwakeClock(() -> wall);

  @Test
  void shouldGoOnWithTheWallClock() {
    long begin = clock.getAsLong();
    for (int i = 0; i < 30; i++) {
      wall += 100 * MILLISECOND;
      clock.getAsLong();
    }
    assertThat(clock.getAsLong() - begin).isEqualTo(3000 * MILLISECOND);
  }

  @Test
  void shouldNotCountTimeInWhichNobodyCouldRead() {
    long begin = clock.getAsLong();
    wall += 600_000 * MILLISECOND;
    assertThat(clock.getAsLong() - begin).isEqualTo(1000 * MILLISECOND);
  }
}
