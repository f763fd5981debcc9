package dev.perdure.testkit.litmus;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Compares the list of regions with what a program says of its starts. */
final class RegionJudge {
  private final LitmusProgram program;
  private final JsonNode list;

  RegionJudge(LitmusProgram program, JsonNode list) {
    this.program = program;
    this.list = list;
  }

  /** What is missing and what is forbidden, one line each. */
  List<String> judge() throws LitmusFormatException {
    if (!list.path("accesses").isArray()) {
      throw new LitmusFormatException("the list of regions has no `accesses`");
    }
    List<String> wrong = new ArrayList<>();
    for (Rule rule : program.expect()) {
      if (!isMet(rule)) {
        wrong.add("missing: " + rule.text() + "  (starts on: " + starts(rule) + ")");
      }
    }
    for (Rule rule : program.forbid()) {
      if (isMet(rule)) {
        wrong.add("forbidden: " + rule.text() + "  (starts on: " + starts(rule) + ")");
      }
    }
    return wrong;
  }

  private boolean isMet(Rule rule) throws LitmusFormatException {
    return starts(rule).stream().anyMatch(lines(rule, "at")::contains);
  }

  private List<Integer> starts(Rule rule) throws LitmusFormatException {
    List<Integer> starts = new ArrayList<>();
    for (JsonNode access : list.path("accesses")) {
      String file = access.path("file").asText();
      if (file.substring(file.lastIndexOf('/') + 1).equals(program.base())
          && lines(rule, "of").contains(access.path("line").asInt())) {
        access.path("starts").forEach(start -> starts.add(start.path("line").asInt()));
      }
    }
    return starts;
  }

  private static Set<Integer> lines(Rule rule, String role) throws LitmusFormatException {
    if (!rule.roles().containsKey(role)) {
      throw new LitmusFormatException("rule `" + rule.text() + "` needs of= and at=");
    }
    return rule.roles().get(role);
  }
}
