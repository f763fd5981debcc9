package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vardalith's theorem 3 on executions of random programs, from the compiler to the findings. */
class RegionTheoremTest {
  private static final int SEEDS = Integer.getInteger("perdure.region.seeds", 6);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"llvm, lookback", "llvm, static", "binary, lookback", "binary, static"})
  void shouldNotLetRegionsOverlapThatHappensBeforeOrders(String frontEnd, String starts)
      throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    String program = perdure.build("random_threads", frontEnd).toString();
    int overlaps = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      Files.deleteIfExists(folder.resolve("pool"));
      String delay = seed % 2 == 0 ? "--delay=100us" : "--verbose";
      perdure.run(
          "run",
          "--out",
          "run" + seed,
          "--detect",
          "regions,hb",
          "--seed",
          "" + seed,
          delay,
          "--starts",
          starts,
          "--pm",
          "pool",
          "--",
          program,
          "pool",
          "" + seed);
      JsonNode root =
          new ObjectMapper().readTree(folder.resolve("run" + seed + "/findings.json").toFile());
      assertThat(root.get("complete").asBoolean()).isTrue();
      for (JsonNode finding : root.get("findings")) {
        Set<String> evidence = new HashSet<>();
        finding.get("evidence").forEach(e -> evidence.add(e.asText()));
        assertThat(evidence).as("seed %d: %s", seed, finding).contains("happens-before");
        assertThat(finding.get("store").get("function").asText())
            .as("seed %d: %s", seed, finding)
            .isNotIn("store0", "store1");
        overlaps += evidence.contains("region-overlap") ? 1 : 0;
      }
    }
    // Regions that start in functions of one access hardly ever meet.
    assertThat(overlaps).isGreaterThanOrEqualTo(starts.equals("lookback") ? 1 : 0);
  }
}
