package dev.perdure.report.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.perdure.report.SampleReports;
import dev.perdure.report.run.RunReport;
import dev.perdure.testkit.golden.GoldenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FindingsJsonTest {
  private static final Path SCHEMA = Path.of("../docs/formats/findings.schema.json");

  static Stream<RunReport> reports() {
    return Stream.of(
        SampleReports.racesOnOneStore(),
        SampleReports.manyKinds(),
        SampleReports.longNamesWithoutSource(),
        SampleReports.crashedTarget(),
        SampleReports.nothingMapped(),
        SampleReports.clean());
  }

  @ParameterizedTest
  @MethodSource("reports")
  void shouldFollowThePublishedSchema(RunReport report) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(Files.readString(SCHEMA));

    assertThat(schema.validate(new ObjectMapper().readTree(FindingsJson.write(report)))).isEmpty();
  }

  @Test
  void shouldNotFollowTheSchemaWithoutItsKeys() throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(Files.readString(SCHEMA));

    assertThat(schema.validate(new ObjectMapper().readTree("{\"schema\": \"perdure-findings/1\"}")))
        .isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("reports")
  void shouldReadBackWhatItWrote(RunReport report) throws FindingsFormatException {
    assertThat(FindingsJson.read("findings.json", FindingsJson.write(report))).isEqualTo(report);
  }

  @Test
  void shouldWriteTheKeysOfTheContract() {
    GoldenFile.at(Path.of("src/test/golden/many_kinds.json"))
        .assertMatches(
            new String(FindingsJson.write(SampleReports.manyKinds()), StandardCharsets.UTF_8));
  }

  @Test
  void shouldReadAFileWithTheRequiredKeysOnly() throws FindingsFormatException {
    String text =
        """
        {"schema": "perdure-findings/1", "target": {"command": [], "exit": null, "signal": 11},
         "findings": [{"kind": "missing-flush", "store": {"file": "a.c", "line": 3, "function": "f"}}]}
        """;

    RunReport report = FindingsJson.read("f.json", text.getBytes(StandardCharsets.UTF_8));

    assertThat(report.target().broken()).isTrue();
    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().get(0).counts()).isTrue();
  }

  @Test
  void shouldSayInOneLineWhatIsWrongWithAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("x.json"), "{\"schema\": \"perd");

    assertThatThrownBy(() -> FindingsJson.read(file))
        .isInstanceOf(FindingsFormatException.class)
        .hasMessage(file + ": this is not JSON, or it is cut short");
    assertThatThrownBy(() -> FindingsJson.read("x", "[]".getBytes(StandardCharsets.UTF_8)))
        .hasMessage("x: this is not a file of the schema perdure-findings/1");
    assertThatThrownBy(() -> FindingsJson.read("x", new byte[0]))
        .hasMessage("x: this is not a file of the schema perdure-findings/1");
    assertThatThrownBy(() -> FindingsJson.read(directory.resolve("none.json")))
        .hasMessage(directory.resolve("none.json") + ": there is no such file");
    String unknown = "{\"schema\": \"perdure-findings/1\", \"findings\": [{\"kind\": \"bug\"}]}";
    assertThatThrownBy(() -> FindingsJson.read("x", unknown.getBytes(StandardCharsets.UTF_8)))
        .hasMessage("x: finding 0 has the unknown kind 'bug'");
  }
}
