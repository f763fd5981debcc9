package dev.perdure.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Shows the figures of a search while it runs: a line on a terminal, a file with the latest, and
 * one with how they grew.
 */
final class FuzzScreen {
  private static final long BETWEEN = 500_000_000;

  private final FuzzStatus status;
  private final Path stats;
  private final Path plot;
  private final boolean onTerminal;
  private long last;

  FuzzScreen(FuzzStatus status, Path directory, boolean onTerminal) {
    this.status = status;
    this.stats = directory.resolve("stats");
    this.plot = directory.resolve("plot");
    this.onTerminal = onTerminal;
  }

  void show(boolean last) {
    long now = System.nanoTime();
    if (!last && now - this.last < BETWEEN) {
      return;
    }
    this.last = now;
    try {
      Files.writeString(stats, status.text());
      Files.writeString(
          plot, status.row() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (onTerminal) {
      System.err.print("\r\u001b[K" + (last ? "" : status.line()));
      System.err.flush();
    }
  }
}
