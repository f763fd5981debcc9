package dev.perdure.target;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process or thread as /proc shows it.
 *
 * @param state the letter of its state
 * @param started ticks since boot: with its number, what tells it from a later one
 */
record SystemTask(char state, long started) {
  private static final int STATE_FIELD = 0;
  private static final int START_FIELD = 19;

  static Optional<SystemTask> process(int pid) {
    return read(Path.of("/proc", Integer.toString(pid), "stat"));
  }

  static Optional<SystemTask> thread(int pid, int tid) {
    return read(Path.of("/proc", Integer.toString(pid), "task", Integer.toString(tid), "stat"));
  }

  private static Optional<SystemTask> read(Path path) {
    try {
      String line = Files.readString(path, StandardCharsets.ISO_8859_1);
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      return Optional.of(
          new SystemTask(fields[STATE_FIELD].charAt(0), Long.parseLong(fields[START_FIELD])));
    } catch (IOException e) {
      // It is gone, which is what an empty answer says.
      return Optional.empty();
    }
  }

  /** What names the process or thread that was started last, on the whole machine. */
  static Optional<String> newest() {
    try {
      String line = Files.readString(Path.of("/proc/loadavg"), StandardCharsets.ISO_8859_1);
      return Optional.of(line.substring(line.lastIndexOf(' ') + 1));
    } catch (IOException e) {
      // Without it nothing is known of new ones.
      return Optional.empty();
    }
  }

  boolean dead() {
    return state == 'Z' || state == 'X';
  }

  boolean asleep() {
    return state == 'S';
  }

  /** Whether a process whose first thread has ended still has others. */
  static boolean hasLiveThreads(int pid) {
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Integer.toString(pid), "task"))) {
      return tasks
          .map(t -> read(t.resolve("stat")))
          .anyMatch(t -> t.isPresent() && !t.get().dead());
    } catch (IOException e) {
      // It is gone: no threads.
      return false;
    }
  }
}
