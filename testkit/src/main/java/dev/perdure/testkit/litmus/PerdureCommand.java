package dev.perdure.testkit.litmus;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Starts Perdure's commands for one program, within the time that the program has. */
final class PerdureCommand {
  private static final int SHOWN_LINES = 6;

  private final List<String> launcher;
  private final Path folder;
  private final Path include;
  private final long deadline;
  private final Duration limit;

  PerdureCommand(List<String> launcher, Path folder, Path include, long deadline, Duration limit) {
    this.launcher = launcher;
    this.folder = folder;
    this.include = include;
    this.deadline = deadline;
    this.limit = limit;
  }

  /** Runs one command; an exit code that is not among the good ones is an error. */
  int run(List<String> arguments, Set<Integer> good)
      throws IOException, LitmusFormatException, InterruptedException {
    List<String> words = new ArrayList<>(launcher);
    words.addAll(arguments);
    return run("perdure " + arguments.get(0), words, good);
  }

  /** Runs a program other than Perdure, such as a compiler; it must succeed. */
  void other(List<String> words) throws IOException, LitmusFormatException, InterruptedException {
    run(words.get(0), words, Set.of(0));
  }

  private int run(String name, List<String> words, Set<Integer> good)
      throws IOException, LitmusFormatException, InterruptedException {
    Path log = folder.resolve("log");
    var builder = new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(log.toFile()).redirectInput(new File("/dev/null"));
    builder.environment().put("PMEM_IS_PMEM_FORCE", "1");
    builder.environment().put("CPATH", include.toString());
    Process process = builder.start();
    if (!process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      throw new LitmusFormatException(
          "`%s` was still running at the time limit of %d s".formatted(name, limit.toSeconds()));
    }
    int exit = process.exitValue();
    if (!good.contains(exit)) {
      throw new LitmusFormatException("`%s` ended with %d: %s".formatted(name, exit, tail(log)));
    }
    return exit;
  }

  private static String tail(Path log) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip().lines().toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }
}
