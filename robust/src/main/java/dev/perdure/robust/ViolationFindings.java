package dev.perdure.robust;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.robust.analysis.Violation;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Step;
import dev.perdure.robust.repair.Reasons;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Violations as findings: one for each store and point, with a way that leads from one to the
 * other.
 */
final class ViolationFindings {
  private final Program program;
  private final SiteTable sites;
  private final Reasons reasons;
  private final Map<Map<Role, Place>, Finding> findings = new LinkedHashMap<>();
  private final Map<Integer, Set<Finding>> byOrigin = new HashMap<>();

  ViolationFindings(Program program, SiteTable sites, Collection<Violation> violations) {
    this.program = program;
    this.sites = sites;
    this.reasons = new Reasons(program);
    for (Violation violation : violations) {
      Finding fresh = finding(violation);
      Finding finding = findings.computeIfAbsent(fresh.places(), places -> fresh);
      byOrigin.computeIfAbsent(violation.origin(), o -> new HashSet<>()).add(finding);
    }
  }

  List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  /** The stores and atomic loads that all findings about them are among the given ones. */
  Set<Integer> onlyIn(Set<Finding> given) {
    Set<Integer> origins = new HashSet<>();
    byOrigin.forEach(
        (origin, about) -> {
          if (given.containsAll(about)) {
            origins.add(origin);
          }
        });
    return origins;
  }

  private Finding finding(Violation violation) {
    Place origin = place(violation.origin());
    Place point = place(violation.point());
    boolean load = reasons.step(violation.origin()) instanceof Step.AtomicRead;
    String message =
        "the %s in %s may not be persistent at %s, before %s: %s is missing"
            .formatted(
                reasons.origin(violation.origin()),
                text(origin.frame()),
                text(point.frame()),
                reasons.point(violation.point()),
                violation.flushed() ? "a fence" : "a flush and a fence");
    List<String> notes =
        new Paths(program, sites, reasons)
            .between(violation.routine(), violation.origin(), violation.point())
            .map(path -> List.of("path: " + path))
            .orElse(List.of());
    return new Finding(
        FindingKind.ROBUSTNESS_VIOLATION,
        Map.of(load ? Role.LOAD : Role.STORE, origin, Role.EFFECT, point),
        Map.of(),
        Set.of(),
        1,
        message,
        Optional.empty(),
        notes);
  }

  private Place place(int step) {
    Site site = sites.sites().get(program.site(step));
    return new Place(site, new CallStack(List.of()));
  }

  private static String text(Frame frame) {
    return frame.fileName() + ":" + frame.line();
  }
}
