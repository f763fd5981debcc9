package dev.perdure.target;

import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which clock stamps events: the cycle counter where cores agree on it, else a shared counter. */
public final class ClockSource {
  private static final Path CURRENT =
      Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private ClockSource() {}

  /** {@link Layout#CLOCK_TSC} or {@link Layout#CLOCK_COUNTER}, for this machine. */
  public static int choose() {
    return Known.CLOCK;
  }

  /** The machine does not change while we run. */
  private static final class Known {
    static final int CLOCK = choose(CURRENT, CPU_INFO);
  }

  /**
   * The kernel itself keeps time by the cycle counter only where it found it synchronised; the two
   * flags say that it neither changes its rate nor stops.
   */
  static int choose(Path current, Path cpuInfo) {
    try {
      String info = " " + Files.readString(cpuInfo).replaceAll("\\s+", " ") + " ";
      return Files.readString(current).strip().equals("tsc")
              && info.contains(" constant_tsc ")
              && info.contains(" nonstop_tsc ")
          ? Layout.CLOCK_TSC
          : Layout.CLOCK_COUNTER;
    } catch (IOException e) {
      // A machine that does not tell gets the clock that is right everywhere.
      return Layout.CLOCK_COUNTER;
    }
  }
}
