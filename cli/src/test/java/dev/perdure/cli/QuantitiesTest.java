package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuantitiesTest {
  @Test
  void shouldReadDurationsWithAndWithoutUnit() {
    assertThat(Quantities.duration("--timeout", "60s")).isEqualTo(Duration.ofSeconds(60));
    assertThat(Quantities.duration("--timeout", "5")).isEqualTo(Duration.ofSeconds(5));
    assertThat(Quantities.duration("--delay", "1ms")).isEqualTo(Duration.ofMillis(1));
    assertThat(Quantities.duration("--time", "1.5m")).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void shouldReadSizes() {
    assertThat(Quantities.bytes("--max-trace", "4G")).isEqualTo(4L << 30);
    assertThat(Quantities.bytes("--max-trace", "100k")).isEqualTo(100L << 10);
    assertThat(Quantities.bytes("--max-trace", "12")).isEqualTo(12);
  }

  @Test
  void shouldNameTheOptionAndWhatIsWanted() {
    assertThatThrownBy(() -> Quantities.duration("--timeout", "soon"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("--timeout soon")
        .hasMessageContaining("60s");
    assertThatThrownBy(() -> Quantities.duration("--timeout", "0s"))
        .isInstanceOf(CommandFailure.class);
    assertThatThrownBy(() -> Quantities.bytes("--max-trace", "lots"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("4G");
  }
}
