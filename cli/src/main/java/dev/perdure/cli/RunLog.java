package dev.perdure.cli;

import dev.perdure.report.run.RunDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** The log of a run: a file in its directory, and standard error where the user wants it. */
final class RunLog implements AutoCloseable {
  private final PrintStream file;
  private final boolean verbose;

  RunLog(RunDirectory directory, boolean verbose) throws IOException {
    Files.deleteIfExists(directory.log());
    Files.createFile(
        directory.log(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    this.file =
        new PrintStream(Files.newOutputStream(directory.log()), true, StandardCharsets.UTF_8);
    this.verbose = verbose;
  }

  void say(String line) {
    String stamped = LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + line;
    file.println(stamped);
    if (verbose) {
      System.err.println("perdure: " + line);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
