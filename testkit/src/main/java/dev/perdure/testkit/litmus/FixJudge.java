package dev.perdure.testkit.litmus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares what {@code perdure fix} inserted with what the program says.
 *
 * @param flushes lines of the program, likewise fences
 */
record FixJudge(List<Integer> flushes, List<Integer> fences) {
  FixJudge {
    flushes = List.copyOf(flushes);
    fences = List.copyOf(fences);
  }

  /** Reads the list that {@code --list} wrote; insertions in headers do not count. */
  static FixJudge of(LitmusProgram program, Path list) throws IOException, LitmusFormatException {
    JsonNode insertions = new ObjectMapper().readTree(list.toFile()).path("insertions");
    if (!insertions.isArray()) {
      throw new LitmusFormatException("the insertions list has no `insertions`");
    }
    List<Integer> flushes = new ArrayList<>();
    List<Integer> fences = new ArrayList<>();
    for (JsonNode insertion : insertions) {
      Path file = Path.of(insertion.path("file").asText());
      if (file.getFileName() != null && file.getFileName().toString().equals(program.base())) {
        boolean flush = insertion.path("kind").asText().equals("flush");
        (flush ? flushes : fences).add(insertion.path("line").asInt());
      }
    }
    return new FixJudge(flushes, fences);
  }

  /** One line for each thing that is missing, forbidden or unexpected. */
  List<String> judge(LitmusProgram program) {
    List<String> wrong = new ArrayList<>();
    for (Rule rule : program.expect()) {
      if (!holds(rule)) {
        wrong.add(
            "missing: %s  (inserted: flushes %s, fences %s)"
                .formatted(rule.text(), flushes, fences));
      }
    }
    for (Rule rule : program.forbid()) {
      if (holds(rule)) {
        wrong.add("forbidden: " + rule.text());
      }
    }
    for (String kind : List.of("flush", "fence")) {
      for (int line : lines(kind)) {
        boolean forbidden =
            program.forbid().stream().anyMatch(r -> r.kind().equals(kind) && at(r).contains(line));
        if (!forbidden && !isCovered(program, kind, line)) {
          wrong.add("unexpected: %s %s:%d".formatted(kind, program.base(), line));
        }
      }
    }
    return wrong;
  }

  private boolean holds(Rule rule) {
    List<Integer> lines = lines(rule.kind());
    if (rule.roles().containsKey("at") && lines.stream().noneMatch(at(rule)::contains)) {
      return false;
    }
    return !rule.roles().containsKey("before")
        || lines.stream().anyMatch(line -> isBetween(rule, line));
  }

  private boolean isCovered(LitmusProgram program, String kind, int line) {
    return Stream.concat(program.expect().stream(), program.allow().stream())
        .filter(rule -> rule.kind().equals(kind))
        .filter(rule -> !rule.roles().containsKey("at") || at(rule).contains(line))
        .anyMatch(rule -> !rule.roles().containsKey("before") || isBetween(rule, line));
  }

  /** After the last inserted flush before the line that the rule names, and not behind the line. */
  private boolean isBetween(Rule rule, int line) {
    int before = rule.roles().get("before").stream().max(Integer::compare).orElseThrow();
    int since = flushes.stream().filter(n -> n < before).max(Integer::compare).orElse(1);
    return since <= line && line <= before;
  }

  private List<Integer> lines(String kind) {
    return kind.equals("flush") ? flushes : fences;
  }

  private static Set<Integer> at(Rule rule) {
    return rule.roles().getOrDefault("at", Set.of());
  }
}
