package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockSourceTest {
  @TempDir Path folder;

  private int choose(String clocksource, String flags) throws IOException {
    return ClockSource.choose(
        Files.writeString(folder.resolve("clocksource"), clocksource + "\n"),
        Files.writeString(folder.resolve("cpuinfo"), "processor : 0\nflags\t: " + flags + "\n"));
  }

  @Test
  void shouldTrustTheCycleCounterOnlyWhereTheKernelDoes() throws Exception {
    assertThat(choose("tsc", "fpu constant_tsc nonstop_tsc")).isEqualTo(Layout.CLOCK_TSC);
    assertThat(choose("hpet", "fpu constant_tsc nonstop_tsc")).isEqualTo(Layout.CLOCK_COUNTER);
    assertThat(choose("tsc", "fpu constant_tsc")).isEqualTo(Layout.CLOCK_COUNTER);
    assertThat(choose("tsc", "nonstop_tsc xconstant_tsc")).isEqualTo(Layout.CLOCK_COUNTER);
    assertThat(ClockSource.choose(folder.resolve("none"), folder.resolve("none")))
        .isEqualTo(Layout.CLOCK_COUNTER);
  }
}
