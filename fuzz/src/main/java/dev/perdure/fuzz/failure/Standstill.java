package dev.perdure.fuzz.failure;

import dev.perdure.fuzz.area.ExplorationArea;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Tells that the threads of a process wait for each other for ever, long before the time of a
 * campaign is up: for a second nobody has accessed PM, but to spin, and at two looks in turn each
 * thread spins or waits, without a limit of time, for a lock, a condition or the end of a thread.
 * Who computes, sleeps, or waits for anything else may get on; so may everybody where a timer can
 * still go off: the system tells of alarms only who handles them.
 */
public final class Standstill implements IntPredicate {
  private static final long PATIENCE_NANOS = 1_000_000_000;
  private static final String FUTEX = "202";
  private static final int TIMEOUT_FIELD = 4;
  private static final String NO_TIMEOUT = "0x0";
  private static final String HANDLED_SIGNALS = "SigCgt:";
  private static final int SIGALRM = 14;

  private final ExplorationArea area;
  private final LongSupplier clock;
  private final Path processes;
  private long accesses = -1;
  private long since;
  private boolean stood;

  /**
   * @param clock nanoseconds
   */
  public Standstill(ExplorationArea area, LongSupplier clock) {
    this(area, clock, Path.of("/proc"));
  }

  /**
   * @param processes what /proc is elsewhere
   */
  Standstill(ExplorationArea area, LongSupplier clock, Path processes) {
    this.area = area;
    this.clock = clock;
    this.processes = processes;
  }

  @Override
  public boolean test(int process) {
    long now = clock.getAsLong();
    if (area.accesses() != accesses) {
      accesses = area.accesses();
      since = now;
      stood = false;
    }
    if (now - since < PATIENCE_NANOS) {
      return false;
    }
    boolean before = stood;
    Path folder = processes.resolve(Integer.toString(process));
    stood = everybodyWaits(folder.resolve("task")) && !awaitsTimer(folder);
    return before && stood;
  }

  private boolean everybodyWaits(Path tasks) {
    Set<Integer> idle = area.idleThreads();
    try (Stream<Path> threads = Files.list(tasks)) {
      List<Path> all = threads.toList();
      return !all.isEmpty() && all.stream().allMatch(t -> idle.contains(number(t)) || waits(t));
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  private static boolean awaitsTimer(Path process) {
    try {
      return !text(process.resolve("timers")).isBlank()
          || text(process.resolve("status"))
              .lines()
              .filter(line -> line.startsWith(HANDLED_SIGNALS))
              .map(
                  line ->
                      Long.parseUnsignedLong(line.substring(HANDLED_SIGNALS.length()).strip(), 16))
              .anyMatch(signals -> (signals >> (SIGALRM - 1) & 1) != 0);
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  /** Empty where the kernel has no such file. */
  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
  }

  private static int number(Path thread) {
    return Integer.parseInt(thread.getFileName().toString());
  }

  private static boolean waits(Path thread) {
    try {
      String[] call =
          Files.readString(thread.resolve("syscall"), StandardCharsets.ISO_8859_1).split(" ");
      return call.length > TIMEOUT_FIELD
          && call[0].equals(FUTEX)
          && call[TIMEOUT_FIELD].equals(NO_TIMEOUT);
    } catch (IOException e) {
      // The thread has ended, or the kernel does not tell: then only the time limit counts.
      return false;
    }
  }
}
