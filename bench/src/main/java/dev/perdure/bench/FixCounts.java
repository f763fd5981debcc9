package dev.perdure.bench;

import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Flushes and fences that repaired indexes execute, beside those placed by hand and the fewest that
 * would do, counted in traces. Each load is a thread of its own.
 */
final class FixCounts {
  private final Path home;
  private final String perdure;
  private final Path folder;
  private final int operations;

  FixCounts(Path home, Path folder, int operations) {
    this.home = home;
    this.perdure = home.resolve("perdure").toString();
    this.folder = folder;
    this.operations = operations;
  }

  void print(List<IndexExample> indexes) throws IOException, InterruptedException {
    System.out.printf(
        "Flushes and fences for 100 operations: %,d operations (scans: a tenth) on %,d keys, one"
            + " thread%n%n",
        operations, operations);
    System.out.println("| index | load | by hand | base | opt | flit | fewest possible |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    for (IndexExample index : indexes) {
      build(index);
      print(index);
    }
    System.out.println();
  }

  private void build(IndexExample index) throws IOException, InterruptedException {
    for (String variant : IndexExample.variants()) {
      List<String> build = new ArrayList<>(List.of(perdure, "cc", "-O2", "-pthread"));
      if (!variant.equals(IndexExample.HAND)) {
        build.addAll(List.of("--fix=" + variant, "--strip"));
      }
      build.addAll(List.of(index.source(home).toString(), "-o", "observed_" + variant));
      Measured.require(folder, build);
    }
  }

  private void print(IndexExample index) throws IOException, InterruptedException {
    List<Persists> columns = new ArrayList<>();
    FewestPersists fewest = new FewestPersists();
    for (String variant : IndexExample.variants()) {
      record("./observed_" + variant, index.loads());
      ExecutedPersists executed = new ExecutedPersists();
      replay(executed);
      columns.add(executed);
      if (variant.equals(IndexExample.HAND)) {
        replay(fewest);
      }
    }
    columns.add(fewest);
    for (int i = 0; i < index.loads().length(); i++) {
      char load = index.loads().charAt(i);
      int done = load == 'e' ? operations / 10 : operations;
      StringBuilder row = new StringBuilder();
      for (Persists column : columns) {
        row.append(
            " %.0f, %.0f |"
                .formatted(100.0 * column.flushes(i) / done, 100.0 * column.fences(i) / done));
      }
      System.out.printf("| %s | %s |%s%n", index.name(), load, row);
    }
  }

  private void record(String program, String loads) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                perdure,
                "run",
                "--quiet",
                "--fail-on",
                "never",
                "--detect",
                "flush",
                "--out",
                "run",
                "--pm",
                "pool",
                "--",
                program));
    command.addAll(IndexExample.arguments(loads, operations, operations, 1));
    Measured.require(folder, command);
  }

  private void replay(EventHandler handler) throws IOException {
    try (TraceFile trace = TraceFile.open(folder.resolve("run/trace"))) {
      trace.forEach(handler);
    }
  }
}
