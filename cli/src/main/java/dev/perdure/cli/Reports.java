package dev.perdure.cli;

import dev.perdure.report.run.RunReport;
import dev.perdure.report.text.LibraryFrames;
import dev.perdure.report.text.SummaryLine;
import dev.perdure.report.text.TerminalReport;
import dev.perdure.report.text.TerminalStyle;

/** Prints a report where the user reads it. */
final class Reports {
  private Reports() {}

  /** Only the last line. */
  static void summary(RunReport report, Console console) {
    console.out().println(SummaryLine.of(report));
    console.out().flush();
  }

  /** The whole; {@code insideLibraries} also shows what happened inside libpmem and its like. */
  static void print(RunReport report, Console console, boolean insideLibraries) {
    RunReport shown = insideLibraries ? report : LibraryFrames.folded(report);
    console.out().print(TerminalReport.render(shown, style(console)));
    console.out().flush();
  }

  private static TerminalStyle style(Console console) {
    String locale =
        System.getenv()
            .getOrDefault(
                "LC_ALL",
                System.getenv().getOrDefault("LC_CTYPE", System.getenv().getOrDefault("LANG", "")));
    boolean unicode = locale.toLowerCase(java.util.Locale.ROOT).replace("-", "").contains("utf8");
    return new TerminalStyle(console.width(), console.colour(), unicode);
  }
}
