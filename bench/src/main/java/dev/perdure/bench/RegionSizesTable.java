package dev.perdure.bench;

import dev.perdure.target.TargetCommand;
import dev.perdure.target.TargetRun;
import dev.perdure.target.TargetStartException;
import dev.perdure.trace.event.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How many basic blocks regions hold, after figure 8 of Vardalith. */
final class RegionSizesTable {
  private final Path home;
  private final Path folder;
  private final int threads;

  RegionSizesTable(Path home, Path folder, int threads) {
    this.home = home;
    this.folder = folder;
    this.threads = threads;
  }

  void print(List<String> sizes) throws IOException, InterruptedException, TargetStartException {
    build();
    System.out.println(
        "Size of regions in basic blocks entered by their thread: median, mean, 90th percentile%n"
            .formatted());
    System.out.println(
        "| operations | regions | window of a store | store ifr | store pifr | load |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    for (String size : sizes) {
      RegionSizes regions = measure(size);
      System.out.printf(
          "| %s | %,d | %s | %s | %s | %s |%n",
          size,
          regions.count(),
          summary(regions.windows()),
          summary(regions.storeIfr()),
          summary(regions.storePifr()),
          summary(regions.loads()));
    }
  }

  private void build() throws IOException, InterruptedException {
    String perdure = home.resolve("perdure").toString();
    List<String> link = new ArrayList<>(List.of(perdure, "cc", "-pthread"));
    for (String part : List.of("rare", "blocks")) {
      String source = home.resolve("examples/rare/" + part + ".c").toString();
      List<String> compile = new ArrayList<>(List.of(perdure, "cc", "-O1", "-g", "-pthread"));
      compile.addAll(List.of("-fsanitize-coverage=trace-pc", "-c", source, "-o", part + ".o"));
      Measured.require(folder, compile);
      link.add(part + ".o");
    }
    link.addAll(List.of("-o", "blocks"));
    Measured.require(folder, link);
  }

  private RegionSizes measure(String size)
      throws IOException, InterruptedException, TargetStartException {
    Path pool = folder.resolve("pool");
    Files.deleteIfExists(pool);
    TargetCommand command =
        TargetCommand.of(
                List.of(
                    folder.resolve("blocks").toString(), pool.toString(), "" + threads, size, "1"),
                home.resolve("native/build/libperdure.so"),
                folder)
            .pmPaths(List.of(pool))
            .seed(1)
            .build();
    RegionSizes regions = new RegionSizes();
    try (TargetRun run = TargetRun.start(command)) {
      Event event = new Event();
      while (run.source().next(event)) {
        regions.see(event);
      }
      run.await();
    }
    return regions;
  }

  private static String summary(int[] sizes) {
    if (sizes.length == 0) {
      return "–";
    }
    int[] sorted = sizes.clone();
    Arrays.sort(sorted);
    return "%d, %.1f, %d"
        .formatted(
            sorted[sorted.length / 2],
            Arrays.stream(sorted).average().orElseThrow(),
            sorted[sorted.length * 9 / 10]);
  }
}
