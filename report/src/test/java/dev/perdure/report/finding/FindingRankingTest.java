package dev.perdure.report.finding;

import static dev.perdure.report.SampleReports.frame;
import static dev.perdure.report.SampleReports.place;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Role;
import dev.perdure.report.run.ReportedFinding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FindingRankingTest {
  private final List<ReportedFinding> findings = new ArrayList<>();

  private void race(String id, int store, int load, long count, Evidence evidence, String benign) {
    Finding finding =
        new Finding(
            FindingKind.PERSISTENCY_RACE,
            Map.of(
                Role.STORE, place(frame("f", "a.c", store)),
                Role.LOAD, place(frame("g", "a.c", load))),
            Map.of(),
            Set.of(evidence),
            count,
            "",
            Optional.empty(),
            List.of());
    findings.add(
        new ReportedFinding(
            id, finding, Optional.empty(), Optional.ofNullable(benign), "perdure run"));
  }

  private List<String> ranked() {
    Collections.shuffle(findings, new Random(5));
    return FindingRanking.of(findings).stream().map(ReportedFinding::id).toList();
  }

  @Test
  void shouldKeepFindingsOfOneStoreTogether() {
    race("sure", 1, 10, 1, Evidence.OBSERVED_READ, null);
    race("less sure", 2, 10, 1, Evidence.HAPPENS_BEFORE, null);
    race("of the first store", 1, 11, 1, Evidence.LOCKSET, null);
    assertThat(ranked()).containsExactly("sure", "of the first store", "less sure");
  }

  @Test
  void shouldPutPrevalentPatternsFirstAmongEquals() {
    race("once", 1, 10, 1, Evidence.LOCKSET, null);
    race("often", 2, 10, 100, Evidence.LOCKSET, null);
    race("two loads", 3, 10, 1, Evidence.LOCKSET, null);
    race("two loads more", 3, 11, 1, Evidence.LOCKSET, null);
    assertThat(ranked()).containsExactly("two loads", "two loads more", "often", "once");
  }

  @Test
  void shouldPutWhatIsBenignLast() {
    race("benign", 1, 10, 1, Evidence.OBSERVED_READ, "rebuilt after a crash");
    race("possible", 2, 10, 1, Evidence.LOCKSET, null);
    assertThat(ranked()).containsExactly("possible", "benign");
  }
}
