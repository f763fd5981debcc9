package dev.perdure.testkit.litmus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.perdure.model.finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A finding of findings.json as a litmus program sees it: sites are lines of the program itself.
 */
final class JudgedFinding {
  private final JsonNode node;
  private final String base;
  private final Level level;

  JudgedFinding(JsonNode node, String base) throws LitmusFormatException {
    this.node = node;
    this.base = base;
    String word = node.path("level").isTextual() ? node.path("level").textValue() : "proven";
    Optional<Level> known = Level.byLabel(word);
    if (known.isEmpty()) {
      throw new LitmusFormatException("a finding has the unknown level '" + word + "'");
    }
    level = known.get();
  }

  String kind() {
    return node.path("kind").asText();
  }

  Level level() {
    return level;
  }

  List<String> evidence() {
    List<String> evidence = new ArrayList<>();
    node.path("evidence").forEach(e -> evidence.add(e.asText()));
    return evidence;
  }

  boolean suppressed() {
    return node.path("suppressed").asBoolean();
  }

  /** Whether it is a reason for the exit code 1. */
  boolean counts() {
    boolean benign = !node.path("benign").isMissingNode() && !node.path("benign").isNull();
    return !benign && !node.path("recovery").asText().equals("recovered");
  }

  /** The line of a role: of the site itself, or of the nearest frame that lies in the program. */
  OptionalInt line(String role) {
    JsonNode site = node.path(role);
    if (inProgram(site)) {
      return OptionalInt.of(site.path("line").asInt());
    }
    for (JsonNode frame : site.path("stack")) {
      if (inProgram(frame)) {
        return OptionalInt.of(frame.path("line").asInt());
      }
    }
    return OptionalInt.empty();
  }

  private boolean inProgram(JsonNode frame) {
    return fileName(frame).equals(base);
  }

  private static String fileName(JsonNode frame) {
    String file = frame.path("file").asText("");
    return file.substring(file.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    var text = new StringBuilder(kind());
    for (String role : LitmusCommand.RUN.roles()) {
      JsonNode site = node.path(role);
      if (site.isObject()) {
        OptionalInt line = line(role);
        text.append(' ').append(role).append('=');
        text.append(line.isPresent() ? base : fileName(site)).append(':');
        text.append(line.isPresent() ? line.getAsInt() : site.path("line").asInt());
      }
    }
    if (node.path("level").isTextual()) {
      text.append(" level=").append(level.label());
    }
    if (!evidence().isEmpty()) {
      text.append(" evidence=").append(String.join(",", evidence()));
    }
    return text.toString();
  }
}
