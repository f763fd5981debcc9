package dev.perdure.report.run;

import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Finding;
import java.util.Optional;

/**
 * A finding as a report shows it.
 *
 * @param id stable between runs and versions of the program, as long as the code of its sites is
 * @param suppressed the reason of the suppression that takes it out of the report
 * @param benign the reason why it does not count, though it stays in the report
 * @param reproduce the command that shows it again
 */
public record ReportedFinding(
    String id,
    Finding finding,
    Optional<String> suppressed,
    Optional<String> benign,
    String reproduce) {

  /** The same with the finding in another form. */
  public ReportedFinding with(Finding newFinding) {
    return new ReportedFinding(id, newFinding, suppressed, benign, reproduce);
  }

  /** Whether it makes the exit code 1, its level aside. */
  public boolean counts() {
    return suppressed.isEmpty() && benign.isEmpty() && !recovered();
  }

  /** Whether recovery was seen to overwrite its effect. */
  private boolean recovered() {
    return finding.effect().flatMap(DurableEffect::recovery).stream()
        .anyMatch(DurableEffect.Recovery.RECOVERED::equals);
  }
}
