package dev.perdure.testkit.litmus;

import dev.perdure.model.finding.FindingKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The command that a litmus program is made for, with the words of its rules. */
public enum LitmusCommand {
  RUN,
  CRASH,
  FUZZ,
  FIX,
  REGIONS;

  private static final List<String> FINDING_ROLES = List.of("store", "load", "persist", "effect");

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<LitmusCommand> byLabel(String label) {
    return Arrays.stream(values()).filter(command -> command.label().equals(label)).findFirst();
  }

  /** The kinds that a rule may speak of. */
  List<String> kinds() {
    return switch (this) {
      case FIX -> List.of("flush", "fence");
      case REGIONS -> List.of("start");
      case RUN, CRASH, FUZZ -> Arrays.stream(FindingKind.values()).map(FindingKind::label).toList();
    };
  }

  /** The roles that a rule may name labels for. */
  List<String> roles() {
    return switch (this) {
      case FIX -> List.of("at", "before");
      case REGIONS -> List.of("of", "at");
      case RUN, CRASH, FUZZ -> FINDING_ROLES;
    };
  }
}
