package dev.perdure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory that Perdure itself has had, as the system counts it. */
final class PeakMemory {
  private PeakMemory() {}

  static long ofThisProcess() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (IOException e) {
      // Without /proc the figure is simply not known.
      return 0;
    }
    return 0;
  }
}
