package dev.perdure.target;

import dev.perdure.trace.format.Layout;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starting the target's main process, with the runtime preloaded and everything else as it was. */
final class Launch {
  private static final Path STANDARD_ERROR = Path.of("/dev/stderr");
  private static final File NOTHING = new File("/dev/null");
  private static final long LONGEST_OUTPUT_WAIT_MILLIS = 2000;

  private final TargetCommand command;
  private final ProgramFile program;
  private Optional<Path> runtimeCopy = Optional.empty();
  private Optional<Thread> copier = Optional.empty();

  private Launch(TargetCommand command, ProgramFile program) {
    this.command = command;
    this.program = program;
  }

  /** Looks for everything that would keep the target from starting. */
  static Launch check(TargetCommand command) throws TargetStartException {
    if (!Files.isDirectory(command.directory())) {
      throw new TargetStartException(command.directory() + ": no such directory to run in");
    }
    if (!Files.isReadable(command.runtime())) {
      throw new TargetStartException(
          command.runtime() + ": the runtime is missing; build it with native/build.sh");
    }
    String searchPath =
        command
            .environment()
            .getOrDefault("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
    return new Launch(
        command, ProgramFile.find(command.arguments().get(0), command.directory(), searchPath));
  }

  Process start(Path recording) throws TargetStartException {
    List<String> words = new ArrayList<>(command.arguments());
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.directory(command.directory().toFile());
    boolean copied = route(builder);
    Map<String, String> environment = builder.environment();
    environment.putAll(command.environment());
    environment.put(Layout.ENV_RECORDING, recording.toAbsolutePath().toString());
    try {
      String runtime = preloadable();
      environment.merge(
          "LD_PRELOAD", runtime, (old, ours) -> old.isBlank() ? ours : old + ":" + ours);
      Process process = builder.start();
      if (copied) {
        copier = Optional.of(copyToStandardError(process.getInputStream()));
      }
      return process;
    } catch (IOException e) {
      throw new TargetStartException(words.get(0) + ": cannot be started (" + reason(e) + ")", e);
    }
  }

  /** The loader splits LD_PRELOAD at spaces and colons: a runtime below such a path is copied. */
  private String preloadable() throws IOException {
    Path runtime = command.runtime().toRealPath();
    if (runtime.toString().chars().noneMatch(c -> c == ' ' || c == ':')) {
      return runtime.toString();
    }
    Path folder = Files.createTempDirectory("perdure-" + ProcessHandle.current().pid() + "-");
    runtimeCopy = Optional.of(folder);
    return Files.copy(runtime, folder.resolve("libperdure.so")).toString();
  }

  /** A folder to be deleted after the run. */
  Optional<Path> runtimeCopy() {
    return runtimeCopy;
  }

  /** Connects the standard streams; true if the output must be copied. */
  private boolean route(ProcessBuilder builder) {
    if (command.surroundings().outputFile().isPresent()) {
      builder.redirectInput(NOTHING);
      builder.redirectErrorStream(true);
      builder.redirectOutput(command.surroundings().outputFile().get().toFile());
      return false;
    }
    builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return routeOutput(builder);
  }

  /** True if the output must be copied because standard error cannot be opened a second time. */
  private boolean routeOutput(ProcessBuilder builder) {
    if (command.output() == TargetCommand.Output.INHERITED) {
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
      return false;
    }
    if (Files.isRegularFile(STANDARD_ERROR)) {
      // Opened a second time it would have a place of its own in the file, and be written over.
      return true;
    }
    try {
      Files.newOutputStream(STANDARD_ERROR, StandardOpenOption.APPEND).close();
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(STANDARD_ERROR.toFile()));
      return false;
    } catch (IOException e) {
      // A socket, or a file of another user: then bytes are passed on one by one.
      return true;
    }
  }

  /**
   * Waits until what the target wrote has been passed on; a process that outlives it is not waited
   * for.
   */
  void awaitOutput() throws InterruptedException {
    if (copier.isPresent()) {
      copier.get().join(LONGEST_OUTPUT_WAIT_MILLIS);
    }
  }

  private static Thread copyToStandardError(InputStream output) {
    Thread copier =
        new Thread(
            () -> {
              try (output) {
                output.transferTo(System.err);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            "target output");
    copier.setDaemon(true);
    copier.start();
    return copier;
  }

  private String reason(IOException e) {
    Throwable root = e.getCause() == null ? e : e.getCause();
    String message = String.valueOf(root.getMessage());
    int at = message.indexOf("error=");
    boolean missing = message.contains("error=2,") && program.elf().isPresent();
    return missing
        ? "its program loader is missing"
        : at < 0 ? message : message.substring(message.indexOf(' ', at) + 1);
  }
}
