package dev.perdure.report.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.config.FramePattern;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Role;
import dev.perdure.report.SampleReports;
import dev.perdure.report.run.ReportedFinding;
import dev.perdure.report.source.SourceLines;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SuppressionsTest {
  private static final Finding RACE = SampleReports.lateRace();

  @Test
  void shouldCoverByKindAndSite() {
    assertThat(suppressed(role(Role.STORE, "resize"))).isTrue();
    assertThat(suppressed(role(Role.STORE, "table.c"))).isTrue();
    assertThat(suppressed(role(Role.STORE, "src/table.c:785"))).isTrue();
    assertThat(suppressed(role(Role.STORE, "table.c:786"))).isFalse();
    assertThat(suppressed(role(Role.LOAD, "resize"))).isFalse();
    assertThat(suppressed(role(Role.EFFECT, "resize"))).isFalse();
  }

  @Test
  void shouldNotTakeCallersForTheSite() {
    assertThat(suppressed(role(Role.STORE, "main"))).isFalse();
  }

  @Test
  void shouldFindAnyFrameAmongTheCallers() {
    assertThat(
            suppressed(SampleReports.suppression(FindingKind.PERSISTENCY_RACE, "main", "r", false)))
        .isTrue();
    assertThat(
            suppressed(
                SampleReports.suppression(FindingKind.PERSISTENCY_RACE, "nobody", "r", false)))
        .isFalse();
    assertThat(suppressed(SampleReports.suppression(FindingKind.MISSING_FLUSH, "main", "r", false)))
        .isFalse();
  }

  @Test
  void shouldCoverById() {
    String id = list(List.of()).findings().get(0).id();
    var byId =
        new Suppression(
            Optional.empty(), Optional.of(id), Map.of(), Optional.empty(), "known", false, "f:1");

    assertThat(suppressed(byId)).isTrue();
  }

  @Test
  void shouldKeepBenignFindingsInTheReport() {
    ReportedFinding reported =
        list(List.of(
                SampleReports.suppression(FindingKind.PERSISTENCY_RACE, "put", "a hint", true)))
            .findings()
            .get(0);

    assertThat(reported.suppressed()).isEmpty();
    assertThat(reported.benign()).contains("a hint");
    assertThat(reported.counts()).isFalse();
  }

  @Test
  void shouldTellWhichCoverNothing() {
    Suppression used = SampleReports.suppression(FindingKind.PERSISTENCY_RACE, "put", "a", false);
    Suppression unused = SampleReports.suppression(FindingKind.MISSING_FENCE, "put", "b", false);

    FindingList list = list(List.of(used, unused));

    assertThat(list.unused()).containsExactly(unused);
    assertThat(list.unusedNotices()).containsExactly("unused suppression at perdure.toml:3 (b)");
  }

  private static Suppression role(Role role, String pattern) {
    return new Suppression(
        Optional.of(FindingKind.PERSISTENCY_RACE),
        Optional.empty(),
        Map.of(role, FramePattern.parse(pattern)),
        Optional.empty(),
        "reason",
        false,
        "perdure.toml:3");
  }

  private static boolean suppressed(Suppression suppression) {
    return list(List.of(suppression)).findings().get(0).suppressed().isPresent();
  }

  private static FindingList list(List<Suppression> suppressions) {
    return FindingList.of(List.of(RACE), suppressions, SourceLines.none(), "");
  }
}
