package dev.perdure.cli;

import dev.perdure.crash.CrashProgress;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Consumer;

/** One line on a terminal that says how far a crash test is. */
final class CrashProgressLine implements Consumer<CrashProgress>, AutoCloseable {
  private static final long BETWEEN_NANOS = 200_000_000;

  private final PrintStream out;
  private final boolean shown;
  private final long start = System.nanoTime();
  private long last = start;
  private int width;

  CrashProgressLine(PrintStream out, boolean shown) {
    this.out = out;
    this.shown = shown;
  }

  @Override
  public synchronized void accept(CrashProgress progress) {
    long now = System.nanoTime();
    if (shown && now - last >= BETWEEN_NANOS) {
      last = now;
      String line = text(progress, (now - start) / 1e9);
      out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      out.flush();
      width = line.length();
    }
  }

  static String text(CrashProgress progress, double seconds) {
    double rate = progress.runs() / Math.max(seconds, 1e-3);
    String left =
        progress.points() == 0
            ? "?"
            : String.format(
                Locale.ROOT,
                "%.0f s",
                seconds * (progress.allPoints() - progress.points()) / progress.points());
    return String.format(
        Locale.ROOT,
        "perdure: %d of %d failure points, %d recovery runs, %d findings, %.0f runs/s, %s left",
        progress.points(),
        progress.allPoints(),
        progress.runs(),
        progress.findings(),
        rate,
        left);
  }

  @Override
  public synchronized void close() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
    }
  }
}
