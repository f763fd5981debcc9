package dev.perdure.robust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The instruction that inserted flushes use, the best first. */
public enum FlushInstruction {
  CLWB,
  CLFLUSHOPT,
  CLFLUSH;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<FlushInstruction> byLabel(String label) {
    return Arrays.stream(values()).filter(i -> i.label().equals(label)).findFirst();
  }

  /** The best that the processor of this machine has. */
  public static FlushInstruction ofThisMachine() throws IOException {
    return of(Files.readAllLines(Path.of("/proc/cpuinfo")));
  }

  static FlushInstruction of(List<String> cpuinfo) {
    Set<String> flags = new HashSet<>();
    cpuinfo.stream()
        .filter(line -> line.startsWith("flags"))
        .findFirst()
        .ifPresent(line -> flags.addAll(List.of(line.split("[\\s:]+"))));
    return Arrays.stream(values())
        .filter(instruction -> flags.contains(instruction.label()))
        .findFirst()
        .orElse(CLFLUSH);
  }
}
