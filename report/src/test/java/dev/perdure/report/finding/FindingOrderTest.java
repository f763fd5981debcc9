package dev.perdure.report.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.finding.Finding;
import dev.perdure.report.SampleReports;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FindingOrderTest {

  @Test
  void shouldPutTheSurestFirstThenByKind() {
    List<Finding> ordered =
        List.of(
            SampleReports.lateRace(),
            SampleReports.missingFlush(),
            SampleReports.missingFence(),
            SampleReports.needlessFlush(),
            SampleReports.needlessFence(),
            SampleReports.possibleRace());
    List<Finding> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(3));

    assertThat(shuffled.stream().sorted(FindingOrder.INSTANCE)).containsExactlyElementsOf(ordered);
  }
}
