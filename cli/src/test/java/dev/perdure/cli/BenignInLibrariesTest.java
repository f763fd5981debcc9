package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped list of what is known to be benign inside libpmemobj, on the library itself. */
class BenignInLibrariesTest {
  private static final Path PROGRAMS =
      Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs");

  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeEach
  void setUp() throws Exception {
    perdure = new PerdureProcess(folder);
    String source = Files.readString(PROGRAMS.resolve("object_traffic.c"));
    perdure.compile("gcc", source, "object_traffic", "-g", "-O1", "-pthread", "-lpmemobj");
  }

  @Test
  void shouldCoverWhatTheLibraryDoesAndNothingOfTheProgram() throws Exception {
    var result =
        perdure.run(
            "run",
            "--inside-libraries",
            "--json",
            "f.json",
            "--pm",
            "pool",
            "--",
            "./object_traffic",
            "pool");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    assertThat(result.err()).doesNotContain("unused suppression");

    JsonNode findings =
        new ObjectMapper().readTree(folder.resolve("f.json").toFile()).path("findings");
    List<JsonNode> shown = those(findings, false);
    assertThat(shown).allSatisfy(f -> assertThat(place(f)).contains("object_traffic.c"));
    assertThat(shown.stream().map(f -> f.path("kind").asText())).contains("persistency-race");
    List<JsonNode> suppressed = those(findings, true);
    assertThat(suppressed).hasSizeGreaterThan(20);
    assertThat(suppressed).allSatisfy(f -> assertThat(place(f)).contains("libpmemobj.so"));
  }

  private static String place(JsonNode finding) {
    JsonNode role = finding.path(finding.hasNonNull("store") ? "store" : "persist");
    return role.path("file").asText() + " " + role.path("module").asText();
  }

  private static List<JsonNode> those(JsonNode findings, boolean suppressed) {
    return StreamSupport.stream(findings.spliterator(), false)
        .filter(f -> f.path("suppressed").asBoolean() == suppressed)
        .toList();
  }
}
