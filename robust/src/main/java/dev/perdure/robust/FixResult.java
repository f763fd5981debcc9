package dev.perdure.robust;

import dev.perdure.model.finding.Finding;
import dev.perdure.model.repair.Insertion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of an analysis.
 *
 * @param pmFound whether the program has any pointer to persistent memory
 * @param violations of the program as it was
 * @param stripped how many of the program's own flushes and fences were taken out
 * @param phases what the parts of the analysis cost, in seconds of CPU time, in their order
 */
public record FixResult(
    boolean pmFound,
    List<Insertion> insertions,
    List<Finding> violations,
    int stripped,
    Map<String, Double> phases) {
  public FixResult {
    insertions = List.copyOf(insertions);
    violations = List.copyOf(violations);
    phases = Collections.unmodifiableMap(new LinkedHashMap<>(phases));
  }

  /** What the analysis cost, reading and changing the module included. */
  public double seconds() {
    return phases.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
