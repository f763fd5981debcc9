package dev.perdure.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.report.SampleReports;
import dev.perdure.report.run.RunReport;
import dev.perdure.testkit.golden.GoldenFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalReportTest {
  private static final TerminalStyle ASCII = new TerminalStyle(100, false, false);

  @Test
  void shouldShowBothThreadsSideBySideAndGroupByStore() {
    golden("races_on_one_store.txt", SampleReports.racesOnOneStore(), ASCII);
  }

  @Test
  void shouldFitEightyColumns() {
    golden(
        "races_on_one_store_80.txt",
        SampleReports.racesOnOneStore(),
        new TerminalStyle(80, false, true));
  }

  @Test
  void shouldColourOnlyWhenAsked() {
    golden(
        "races_on_one_store_color.txt",
        SampleReports.racesOnOneStore(),
        new TerminalStyle(100, true, true));
  }

  @Test
  void shouldShowFlushFindingsBenignAndSuppressedOnes() {
    golden("many_kinds.txt", SampleReports.manyKinds(), ASCII);
  }

  @Test
  void shouldShortenLongNamesAndDoWithoutSource() {
    golden("long_names_without_source.txt", SampleReports.longNamesWithoutSource(), ASCII);
  }

  @Test
  void shouldSayWhatIsIncompleteAndUncovered() {
    golden("crashed_target.txt", SampleReports.crashedTarget(), ASCII);
  }

  @Test
  void shouldShowTheCallersOfAFailurePoint() {
    golden("failed_recovery.txt", SampleReports.failedRecovery(), ASCII);
  }

  @Test
  void shouldTellThatNoPersistentMemoryWasMapped() {
    golden("nothing_mapped.txt", SampleReports.nothingMapped(), ASCII);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 80, 97, 120, 140, 400})
  void shouldNeverExceedTheWidth(int columns) {
    var style = new TerminalStyle(columns, false, true);
    for (RunReport report :
        List.of(
            SampleReports.racesOnOneStore(),
            SampleReports.manyKinds(),
            SampleReports.longNamesWithoutSource(),
            SampleReports.crashedTarget())) {
      String text = TerminalReport.render(report, style);
      String withoutSummary = text.substring(0, text.lastIndexOf("SUMMARY:"));
      assertThat(withoutSummary.lines()).allMatch(line -> line.length() <= style.width());
    }
  }

  @Test
  void shouldUseAsciiOnlyWhereTheTerminalHasNothingElse() {
    String text = TerminalReport.render(SampleReports.longNamesWithoutSource(), ASCII);

    assertThat(text.chars()).allMatch(c -> c == '\n' || (c >= ' ' && c <= '~'));
  }

  @Test
  void shouldNotLetNamesControlTheTerminal() {
    String text =
        TerminalReport.render(
            SampleReports.longNamesWithoutSource(), new TerminalStyle(100, false, true));

    assertThat(text).doesNotContain("\u001b");
  }

  @Test
  void shouldEndWithTheSummary() {
    assertThat(TerminalReport.render(SampleReports.clean(), ASCII))
        .isEqualTo("SUMMARY: no findings\n");
    assertThat(SummaryLine.of(SampleReports.manyKinds()))
        .isEqualTo(
            "SUMMARY: 2 persistency-race (1 observed, 1 possible), 1 missing-flush, 1 missing-fence;"
                + " 1 benign; 1 suppressed");
    assertThat(SummaryLine.of(SampleReports.crashedTarget()))
        .isEqualTo("SUMMARY: 1 persistency-race (1 observed); incomplete run");
  }

  private static void golden(String name, RunReport report, TerminalStyle style) {
    GoldenFile.at(Path.of("src/test/golden", name))
        .assertMatches(TerminalReport.render(report, style));
  }
}
