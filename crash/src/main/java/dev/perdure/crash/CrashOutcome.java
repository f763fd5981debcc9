package dev.perdure.crash;

import dev.perdure.model.finding.Finding;
import java.util.List;

/**
 * What a crash test found.
 *
 * @param candidates failure points before merging
 * @param points failure points that were tested
 * @param beyondLimit failure points that were left out because there were too many
 * @param images possible contents of persistent memory that were tested
 * @param runs recovery runs, one for all images of the same content
 * @param leftOut possible images that were not tried
 * @param complete whether all of it was done
 */
public record CrashOutcome(
    List<Finding> findings,
    int candidates,
    int points,
    int beyondLimit,
    int images,
    int runs,
    long leftOut,
    boolean complete,
    List<String> notices) {
  public CrashOutcome {
    findings = List.copyOf(findings);
    notices = List.copyOf(notices);
  }
}
