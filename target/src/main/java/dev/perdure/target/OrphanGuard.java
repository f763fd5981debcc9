package dev.perdure.target;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A shell beside the target that outlives this process if that is killed: then it ends whatever
 * records into the recording, and removes it. It starts before the target, so that there is no
 * target without it.
 */
final class OrphanGuard implements AutoCloseable {
  /**
   * The end of the input without a line says that nobody is left to write one. The recording's path
   * in its environment tells a process of the target from others.
   */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP QUIT
      read -r over && exit 0
      signal=TERM
      for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        for file in $(grep -lsF "$0/" /proc/[0-9]*/environ); do
          process=${file#/proc/}
          kill -$signal "${process%/environ}"
        done
        sleep 0.5
        [ $i -lt 10 ] || signal=KILL
      done
      rm -rf "$0"
      """;

  private final Process shell;

  private OrphanGuard(Process shell) {
    this.shell = shell;
  }

  static OrphanGuard over(Path recording) throws IOException {
    return new OrphanGuard(
        new ProcessBuilder("/bin/sh", "-c", SCRIPT, recording.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Whoever kills the target may have killed the guard with it: then there is nobody to tell. */
  @Override
  public void close() throws IOException {
    try (OutputStream input = shell.getOutputStream()) {
      input.write("over\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      if (shell.isAlive()) {
        throw e;
      }
    }
  }
}
