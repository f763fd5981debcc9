package dev.perdure.cli;

import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Findings of several runs: what has the same kind and sites is one finding, with the evidence of
 * all.
 */
final class MergedFindings {
  private final Map<Key, Finding> byKey = new LinkedHashMap<>();

  private record Key(FindingKind kind, Map<Role, Object> places, String what) {
    static Key of(Finding f) {
      // Needless operations are told apart by their callers, all other kinds by their sites alone.
      boolean byPath =
          f.kind() == FindingKind.REDUNDANT_FLUSH
              || f.kind() == FindingKind.REDUNDANT_FENCE
              || f.kind() == FindingKind.REDUNDANT_LOG;
      boolean withPersist = byPath;
      // Whatever a race led to, it is one.
      boolean race = f.kind() == FindingKind.PERSISTENCY_RACE;
      return new Key(
          f.kind(),
          f.places().entrySet().stream()
              .filter(e -> withPersist || e.getKey() != Role.PERSIST)
              .filter(e -> !race || e.getKey() != Role.EFFECT)
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey, e -> byPath ? e.getValue() : e.getValue().site())),
          // How a program failed is part of what it came to: a hang is no crash.
          f.places().isEmpty() || f.kind() == FindingKind.TARGET_FAILURE ? f.message() : "");
    }
  }

  /** What makes two findings one. */
  static Object identity(Finding finding) {
    return Key.of(finding);
  }

  void add(List<Finding> findings) {
    for (Finding f : findings) {
      byKey.merge(Key.of(f), f, MergedFindings::merge);
    }
  }

  List<Finding> all() {
    return new ArrayList<>(byKey.values());
  }

  /** The one with the better evidence keeps its example and words. */
  private static Finding merge(Finding a, Finding b) {
    int more = b.level().compareTo(a.level());
    Finding better = more > 0 || more == 0 && weight(b) > weight(a) ? b : a;
    Set<Evidence> evidence = EnumSet.noneOf(Evidence.class);
    evidence.addAll(a.evidence());
    evidence.addAll(b.evidence());
    Map<Role, List<Place>> stacks = new LinkedHashMap<>(a.otherStacks());
    b.otherStacks().forEach(stacks::putIfAbsent);
    return new Finding(
        better.kind(),
        better.places(),
        stacks,
        evidence,
        a.count() + b.count(),
        better.message(),
        better.example(),
        better.notes(),
        better.crash(),
        better.effect());
  }

  private static int weight(Finding f) {
    return f.effect().map(DurableEffect::weight).orElse(-1);
  }
}
