package dev.perdure.testkit.litmus;

import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One {@code expect}, {@code allow} or {@code forbid} line.
 *
 * @param text as written
 * @param roles the lines that carry the label of each role
 */
record Rule(
    String text,
    String kind,
    Map<String, Set<Integer>> roles,
    Optional<Level> atLeast,
    Optional<Level> atMost,
    List<Evidence> evidence) {
  private static final Pattern CONDITION = Pattern.compile("([a-z-]+)(>=|<=|=)(\\S+)");

  static Rule parse(String text, Map<String, Set<Integer>> labels, LitmusCommand command)
      throws LitmusFormatException {
    if (text.isBlank()) {
      throw new LitmusFormatException("an empty rule");
    }
    String[] words = text.strip().split("\\s+");
    if (!command.kinds().contains(words[0])) {
      throw wrong(text, "unknown kind " + words[0]);
    }
    Map<String, Set<Integer>> roles = new LinkedHashMap<>();
    Optional<Level> atLeast = Optional.empty();
    Optional<Level> atMost = Optional.empty();
    List<Evidence> evidence = List.of();
    for (int i = 1; i < words.length; i++) {
      Matcher condition = CONDITION.matcher(words[i]);
      if (!condition.matches()) {
        throw wrong(text, "cannot read `" + words[i] + "`");
      }
      String key = condition.group(1);
      String operator = condition.group(2);
      String value = condition.group(3);
      if (key.equals("level") && operator.equals(">=")) {
        atLeast = Optional.of(level(text, value));
      } else if (key.equals("level") && operator.equals("<=")) {
        atMost = Optional.of(level(text, value));
      } else if (key.equals("evidence") && operator.equals("=")) {
        evidence = evidence(text, value);
      } else if (command.roles().contains(key) && operator.equals("=")) {
        if (!labels.containsKey(value)) {
          throw wrong(text, "no line has the label " + value);
        }
        roles.put(key, labels.get(value));
      } else {
        throw wrong(text, "cannot read `" + words[i] + "`");
      }
    }
    return new Rule(text, words[0], roles, atLeast, atMost, evidence);
  }

  /** Kind and sites: the finding is one that the rule speaks of. */
  boolean covers(JudgedFinding finding) {
    return finding.kind().equals(kind)
        && roles.entrySet().stream()
            .allMatch(
                role -> finding.lines(role.getKey()).stream().anyMatch(role.getValue()::contains));
  }

  /** Level and evidence are as the rule wants them, too. */
  boolean met(JudgedFinding finding) {
    return covers(finding)
        && atLeast.map(level -> finding.level().compareTo(level) >= 0).orElse(true)
        && atMost.map(level -> finding.level().compareTo(level) <= 0).orElse(true)
        && evidence.stream().allMatch(e -> finding.evidence().contains(e.label()));
  }

  private static Level level(String rule, String value) throws LitmusFormatException {
    Optional<Level> level = Level.byLabel(value);
    if (level.isEmpty()) {
      throw wrong(rule, "unknown level " + value);
    }
    return level.get();
  }

  private static List<Evidence> evidence(String rule, String values) throws LitmusFormatException {
    List<Evidence> all = new ArrayList<>();
    for (String value : values.split(",", -1)) {
      Optional<Evidence> evidence = Evidence.byLabel(value);
      if (evidence.isEmpty()) {
        throw wrong(rule, "unknown evidence " + value);
      }
      all.add(evidence.get());
    }
    return all;
  }

  private static LitmusFormatException wrong(String rule, String what) {
    return new LitmusFormatException("rule `" + rule + "`: " + what);
  }
}
