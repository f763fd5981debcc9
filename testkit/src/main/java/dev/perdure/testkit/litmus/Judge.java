package dev.perdure.testkit.litmus;

import java.util.ArrayList;
import java.util.List;

/** Compares what a command reported with what the program says. */
final class Judge {
  private Judge() {}

  /** One line for each thing that is missing, forbidden or unexpected; empty if all is right. */
  static List<String> judge(LitmusProgram program, List<JudgedFinding> found) {
    List<String> wrong = new ArrayList<>();
    for (Rule rule : program.expect()) {
      if (found.stream().noneMatch(rule::met)) {
        List<String> near =
            found.stream().filter(rule::covers).map(JudgedFinding::toString).toList();
        String only = near.isEmpty() ? "" : "  (found only: " + String.join("; ", near) + ")";
        wrong.add("missing: " + rule.text() + only);
      }
    }
    for (JudgedFinding finding : found) {
      boolean wanted =
          program.expect().stream().anyMatch(rule -> rule.covers(finding))
              || program.allow().stream().anyMatch(rule -> rule.met(finding));
      if (program.forbid().stream().anyMatch(rule -> rule.met(finding))
          && !(finding.ambiguous() && wanted)) {
        wrong.add("forbidden: " + finding);
      } else if (!wanted) {
        wrong.add("unexpected: " + finding);
      }
    }
    return wrong;
  }
}
