package dev.perdure.testkit.litmus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.perdure.model.finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A finding of findings.json as a litmus program sees it: sites are lines of the program itself.
 */
final class JudgedFinding {
  private final JsonNode node;
  private final Places places;
  private final Level level;

  JudgedFinding(JsonNode node, Places places) throws LitmusFormatException {
    this.node = node;
    this.places = places;
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

  /** The lines of the program that the place of a role can be; none where it lies elsewhere. */
  Set<Integer> lines(String role) {
    return places.lines(node.path(role));
  }

  /** Whether its places are known by function only. */
  boolean ambiguous() {
    return places.ambiguous();
  }

  @Override
  public String toString() {
    var text = new StringBuilder(kind());
    for (String role : LitmusCommand.RUN.roles()) {
      JsonNode site = node.path(role);
      if (site.isObject()) {
        text.append(' ').append(role).append('=').append(places.text(site));
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
