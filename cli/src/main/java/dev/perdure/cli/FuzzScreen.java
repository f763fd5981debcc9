package dev.perdure.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shows the figures of a search while it runs: a line on a terminal, and a file. */
final class FuzzScreen {
  private static final long BETWEEN = 500_000_000;

  private final FuzzStatus status;
  private final Path file;
  private final boolean onTerminal;
  private long last;

  FuzzScreen(FuzzStatus status, Path file, boolean onTerminal) {
    this.status = status;
    this.file = file;
    this.onTerminal = onTerminal;
  }

  void show(boolean last) {
    long now = System.nanoTime();
    if (!last && now - this.last < BETWEEN) {
      return;
    }
    this.last = now;
    try {
      Files.writeString(file, status.text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (onTerminal) {
      System.err.print("\r\u001b[K" + (last ? "" : status.line()));
      System.err.flush();
    }
  }
}
