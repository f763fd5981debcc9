package dev.perdure.target;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A shell beside the target that outlives this process if that is killed: then it ends the target,
 * its children too, and removes the recording.
 */
final class OrphanGuard implements AutoCloseable {
  /**
   * The end of the input without a line says that nobody is left to write one. The time of its
   * birth tells the target from another process that has its number by then.
   */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP QUIT
      born() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f20; }
      target=$0 birth=$(born "$0")
      lives() { [ -n "$birth" ] && [ "$(born "$target")" = "$birth" ]; }
      read -r over && exit 0
      if lives; then
        kill -TERM $(cat "/proc/$target/task/"*/children) "$target"
        for i in 1 2 3 4 5 6 7 8 9 10; do
          lives && sleep 0.5
        done
        lives && kill -KILL "$target"
      fi
      rm -rf "$1"
      """;

  private final Process shell;

  private OrphanGuard(Process shell) {
    this.shell = shell;
  }

  static OrphanGuard over(Process target, Path recording) throws IOException {
    List<String> command =
        List.of("/bin/sh", "-c", SCRIPT, Long.toString(target.pid()), recording.toString());
    return new OrphanGuard(
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  @Override
  public void close() throws IOException {
    try (OutputStream input = shell.getOutputStream()) {
      input.write("over\n".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
