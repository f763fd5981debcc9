package dev.perdure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Figure 10: executions a second, with and without a checkpoint of the pool. */
final class ExecutionRate {
  private static final int OPERATIONS = 400;

  private final TableSearches searches;

  ExecutionRate(TableSearches searches) {
    this.searches = searches;
  }

  void measure() throws IOException, InterruptedException {
    System.out.printf("Executions/s, inputs of %d operations (figure 10)%n%n", OPERATIONS);
    System.out.println("| pool | workers | executions/s |");
    System.out.println("| --- | --- | --- |");
    Path folder = searches.folder();
    Path inputs = searches.inputs("inputs", OPERATIONS, 7, false);
    for (boolean checkpoint : List.of(true, false)) {
      Files.deleteIfExists(folder.resolve("pool"));
      if (checkpoint) {
        Measured.require(folder, List.of("./table", "pool", "init"));
      }
      for (String workers : List.of("1", "2")) {
        Map<String, String> figures =
            searches.search(10, 1, inputs, "--tiers", "execution", "--workers", workers);
        System.out.printf(
            "| %s | %s | %s |%n",
            checkpoint ? "initialised once, copied" : "made by each execution",
            workers,
            figures.get("campaigns_per_second"));
      }
    }
    Files.deleteIfExists(folder.resolve("pool"));
  }
}
