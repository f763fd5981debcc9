package dev.perdure.report.configuration;

import dev.perdure.model.config.FramePattern;
import dev.perdure.model.config.Suppression;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code [[suppress]]} blocks. */
final class SuppressionReader {
  private SuppressionReader() {}

  static List<Suppression> read(TomlTable root) throws ConfigurationException {
    List<Suppression> suppressions = new ArrayList<>();
    for (TomlTable block :
        root.tables(
            "suppress",
            "kind",
            "id",
            "store",
            "load",
            "persist",
            "effect",
            "any",
            "frame",
            "reason",
            "benign")) {
      suppressions.add(suppression(block));
    }
    return suppressions;
  }

  private static Suppression suppression(TomlTable block) throws ConfigurationException {
    Map<Role, FramePattern> roles = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      block.string(role.label()).ifPresent(text -> roles.put(role, FramePattern.parse(text)));
    }
    Optional<FindingKind> kind = kind(block);
    Optional<String> id = block.string("id");
    Optional<String> frame = block.string("frame");
    Optional<FramePattern> any = block.string("any").or(() -> frame).map(FramePattern::parse);
    if (kind.isEmpty() && id.isEmpty() && any.isEmpty() && roles.isEmpty()) {
      throw block.error(
          "reason",
          "[[suppress]] covers everything: give it a kind, an id, or a store, load, persist or any frame");
    }
    if (!block.has("reason")) {
      throw block.error("", "[[suppress]] lacks a reason: say why these findings do not count");
    }
    return new Suppression(
        kind, id, roles, any, block.requiredString("reason"), block.flag("benign"), block.origin());
  }

  private static Optional<FindingKind> kind(TomlTable block) throws ConfigurationException {
    Optional<String> word = block.string("kind");
    Optional<FindingKind> kind = word.flatMap(FindingKind::byLabel);
    if (word.isPresent() && kind.isEmpty()) {
      List<String> labels = Arrays.stream(FindingKind.values()).map(FindingKind::label).toList();
      throw block.error(
          "kind",
          "unknown kind '%s'; did you mean '%s'?"
              .formatted(word.get(), NearestName.of(word.get(), labels).orElse("")));
    }
    return kind;
  }
}
