package dev.perdure.binary.flow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The processor that programs run on here. */
public final class Processor {
  private static final boolean TRANSACTIONS = listed(Path.of("/proc/cpuinfo"), "rtm");

  private Processor() {}

  /** Whether it has hardware transactions, or may have them. */
  public static boolean hasTransactions() {
    return TRANSACTIONS;
  }

  private static boolean listed(Path description, String feature) {
    try (Stream<String> lines = Files.lines(description)) {
      return lines
          .filter(line -> line.startsWith("flags"))
          .findFirst()
          .map(line -> List.of(line.split("\\s+")).contains(feature))
          .orElse(true);
    } catch (IOException e) {
      return true;
    }
  }
}
