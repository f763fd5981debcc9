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
      if (program.forbid().stream().anyMatch(rule -> rule.met(finding))) {
        wrong.add("forbidden: " + finding);
      } else if (program.expect().stream().noneMatch(rule -> rule.covers(finding))
          && program.allow().stream().noneMatch(rule -> rule.met(finding))) {
        wrong.add("unexpected: " + finding);
      }
    }
    return wrong;
  }
}
