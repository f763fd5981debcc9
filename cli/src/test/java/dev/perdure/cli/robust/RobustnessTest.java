package dev.perdure.cli.robust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.cli.PerdureProcess;
import dev.perdure.trace.file.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random programs, repaired: no store stays unpersisted, and every crash leaves what some prefix of
 * the stores would have left.
 */
class RobustnessTest {
  private static final int FUNCTIONS = 70;
  private static final int LATE_STORES = 8;

  @TempDir Path folder;

  @ParameterizedTest(name = "mode {0}, {1}, seed {2}")
  @CsvSource({"opt,cc,1", "opt,c++,2", "flit,cc,3", "flit,c++,5", "base,c++,4"})
  void shouldLeaveOnlyPrefixesOfTheStores(String mode, String compiler, long seed)
      throws Exception {
    CrashImages images = images(compiler, List.of("--fix=" + mode), seed);

    assertThat(images.wrong()).isEmpty();
    assertThat(images.images()).isGreaterThan(1000);
    assertThat(missing()).isEmpty();
  }

  /** Without the repair the same check must fail, or it would prove nothing. */
  @ParameterizedTest
  @CsvSource("1")
  void shouldFindTheProgramsBrokenBefore(long seed) throws Exception {
    CrashImages images = images("cc", List.of(), seed);

    assertThat(images.wrong()).isNotEmpty();
    assertThat(missing()).isNotEmpty();
  }

  private CrashImages images(String compiler, List<String> options, long seed) throws Exception {
    boolean cxx = compiler.equals("c++");
    Path source = folder.resolve(cxx ? "random.cpp" : "random.c");
    // With counters, all who store count: a store that is left unflushed on purpose is not.
    int late = options.contains("--fix=flit") ? 0 : LATE_STORES;
    Files.writeString(source, RandomPmProgram.generate(seed, FUNCTIONS, late, cxx));
    PerdureProcess perdure = new PerdureProcess(folder);
    List<String> build = new ArrayList<>(List.of(compiler, "-g", "-O1", "-pthread"));
    build.addAll(options);
    build.addAll(List.of(source.toString(), "-o", "random"));
    var built = perdure.run(build.toArray(String[]::new));
    assertThat(built.exit()).as(built.err()).isZero();
    var ran =
        perdure.run(
            "run", "--detect", "flush", "--pm", "pool", "--out", "out", "--", "./random", "pool");
    assertThat(ran.exit()).as(ran.err()).isBetween(0, 1);
    CrashImages images = new CrashImages();
    try (TraceFile trace = TraceFile.open(folder.resolve("out/trace"))) {
      trace.forEach(images);
    }
    return images;
  }

  /** Missing flushes and fences; memory that was allocated and never written is none of them. */
  private List<String> missing() throws Exception {
    JsonNode root = new ObjectMapper().readTree(folder.resolve("out/findings.json").toFile());
    List<String> messages = new ArrayList<>();
    for (JsonNode finding : root.path("findings")) {
      boolean allocation = finding.path("store").path("function").asText().equals("new_node");
      if (finding.path("kind").asText().startsWith("missing-") && !allocation) {
        messages.add(finding.path("message").asText());
      }
    }
    return messages;
  }
}
