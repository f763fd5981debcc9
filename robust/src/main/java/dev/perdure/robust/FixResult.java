package dev.perdure.robust;

import dev.perdure.model.finding.Finding;
import dev.perdure.model.repair.Insertion;
import java.util.List;

/**
 * What came of an analysis.
 *
 * @param pmFound whether the program has any pointer to persistent memory
 * @param violations of the program as it was
 * @param stripped how many of the program's own flushes and fences were taken out
 * @param seconds what the analysis took, reading and changing the module included
 */
public record FixResult(
    boolean pmFound,
    List<Insertion> insertions,
    List<Finding> violations,
    int stripped,
    double seconds) {
  public FixResult {
    insertions = List.copyOf(insertions);
    violations = List.copyOf(violations);
  }
}
