package dev.perdure.cli;

import java.io.PrintStream;

/**
 * Where Perdure's own words go. Reports of commands that run a target go to standard error, since
 * standard output belongs to the target.
 */
record Console(PrintStream out, PrintStream err, boolean colour, int width) {
  static Console ofProcess(PrintStream report, boolean noColor) {
    boolean terminal =
        System.console() != null
            && System.getenv("NO_COLOR") == null
            && !"dumb".equals(System.getenv("TERM"));
    return new Console(report, System.err, terminal && !noColor, columns());
  }

  private static int columns() {
    String columns = System.getenv("COLUMNS");
    if (columns != null && columns.matches("\\d{2,4}")) {
      return Math.max(80, Math.min(140, Integer.parseInt(columns)));
    }
    return 110;
  }
}
