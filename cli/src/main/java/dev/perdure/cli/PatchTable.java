package dev.perdure.cli;

import dev.perdure.binary.plan.ModuleCoverage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How the modules of a plain program are patched: a line each, and what is not observed. */
final class PatchTable {
  /** Names of counts in a plan, and their columns. */
  private static final List<Map.Entry<String, String>> COLUMNS =
      List.of(
          Map.entry("functions", "functions"),
          Map.entry("sites", "accesses"),
          Map.entry("run.one_instruction", "jump"),
          Map.entry("run.several_instructions", "jump over several"),
          Map.entry("run.short_jump", "short jump"),
          Map.entry("run.trap", "trap"));

  private PatchTable() {}

  static void print(FrontEnd frontEnd, PrintStream out) {
    StringBuilder head = new StringBuilder("%-28s".formatted("module"));
    COLUMNS.forEach(c -> head.append("  ").append(c.getValue()));
    out.println(head.append("  not observed"));
    frontEnd.coverage().forEach((module, c) -> out.println(line(module, c)));
    frontEnd.gaps().forEach(gap -> out.println("not observed: " + gap));
    frontEnd.unobserved().forEach(out::println);
  }

  private static String line(Path module, ModuleCoverage coverage) {
    StringBuilder line = new StringBuilder("%-28s".formatted(module.getFileName()));
    for (var column : COLUMNS) {
      int count = coverage.counts().getOrDefault(column.getKey(), 0);
      line.append("  ").append(("%" + column.getValue().length() + "d").formatted(count));
    }
    return line.append("%14d".formatted(coverage.gaps().size())).toString();
  }
}
