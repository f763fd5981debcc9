package dev.perdure.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.report.SampleReports;
import dev.perdure.report.source.SourceLines;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ExitCodeTest {

  @Test
  void shouldBeOneWithAFinding() {
    assertThat(code(FailOn.DEFAULT, SampleReports.possibleRace())).isEqualTo(1);
    assertThat(code(FailOn.DEFAULT)).isEqualTo(0);
  }

  @Test
  void shouldLeaveOutRacesBelowTheLevel() {
    FailOn observed = FailOn.parse("observed").orElseThrow();

    assertThat(code(observed, SampleReports.possibleRace())).isEqualTo(0);
    assertThat(code(observed, SampleReports.lateRace())).isEqualTo(1);
    assertThat(code(observed, SampleReports.needlessFence())).isEqualTo(1);
  }

  @Test
  void shouldBeZeroWhenNothingCounts() {
    assertThat(code(FailOn.parse("never").orElseThrow(), SampleReports.lateRace())).isEqualTo(0);
    assertThat(FailOn.parse("sometimes")).isEmpty();
    for (boolean benign : new boolean[] {true, false}) {
      RunReport report =
          SampleReports.report(
              List.of(SampleReports.missingFence()),
              List.of(SampleReports.suppression(FindingKind.MISSING_FENCE, "append", "r", benign)),
              SourceLines.none());
      assertThat(ExitCode.of(report, FailOn.DEFAULT)).isEqualTo(0);
    }
  }

  @Test
  void shouldBeThreeWhenTheTargetBrokeAndNothingWasFound() {
    assertThat(ExitCode.of(SampleReports.crashedTarget(), FailOn.DEFAULT)).isEqualTo(1);
    assertThat(ExitCode.of(SampleReports.crashedTarget(), FailOn.NEVER)).isEqualTo(3);
    assertThat(ended(Ending.TIMED_OUT)).isEqualTo(3);
    assertThat(ended(Ending.NOT_STARTED)).isEqualTo(3);
    assertThat(ended(Ending.STOPPED)).isEqualTo(0);
    assertThat(ended(Ending.STOPPED, 9)).isEqualTo(3);
    assertThat(ExitCode.of(SampleReports.nothingMapped(), FailOn.DEFAULT)).isEqualTo(0);
  }

  private static int ended(Ending ending) {
    return ended(ending, 15);
  }

  private static int ended(Ending ending, int signal) {
    RunReport clean = SampleReports.clean();
    var target =
        new TargetOutcome(List.of("./a"), OptionalInt.empty(), OptionalInt.of(signal), ending);
    return ExitCode.of(
        new RunReport(
            clean.version(),
            clean.command(),
            target,
            true,
            clean.coverage(),
            clean.stats(),
            List.of(),
            List.of(),
            clean.source()),
        FailOn.DEFAULT);
  }

  private static int code(FailOn failOn, Finding... findings) {
    return ExitCode.of(
        SampleReports.report(List.of(findings), List.of(), SourceLines.none()), failOn);
  }
}
