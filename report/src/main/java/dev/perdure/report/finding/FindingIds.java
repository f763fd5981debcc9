package dev.perdure.report.finding;

import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.source.SourceLines;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ids that stay when lines move: {@code PR-7C1E0A} depends on the kind, the functions, the text of
 * the source lines and an ordinal among equals. Where there is no source text, functions with
 * offsets, or with file names where lines are known, must do. How a program failed is part of it.
 */
public final class FindingIds {
  private static final int CALLERS_OF_NEEDLESS_OPERATION = 4;

  private final SourceLines source;

  public FindingIds(SourceLines source) {
    this.source = source;
  }

  /** The id of each finding; findings that look the same are numbered in {@link FindingOrder}. */
  public Map<Finding, String> of(List<Finding> findings) {
    Map<Finding, String> ids = new LinkedHashMap<>();
    Map<String, Integer> equals = new HashMap<>();
    Set<String> taken = new HashSet<>();
    for (Finding finding : findings.stream().sorted(FindingOrder.INSTANCE).toList()) {
      String identity = identity(finding);
      int ordinal = equals.merge(identity, 1, Integer::sum);
      String id = id(finding.kind(), identity + ordinal);
      for (int again = 1; !taken.add(id); again++) {
        id = id(finding.kind(), identity + ordinal + "/" + again);
      }
      ids.put(finding, id);
    }
    return ids;
  }

  private String identity(Finding finding) {
    var text = new StringBuilder(finding.kind().label());
    for (Role role : identifying(finding.kind())) {
      finding.place(role).ifPresent(place -> append(text, finding.kind(), role.label(), place));
    }
    if (finding.kind() == FindingKind.TARGET_FAILURE) {
      text.append('\n').append(finding.message());
    }
    if (finding.places().isEmpty()) {
      finding.crash().ifPresent(crash -> append(text, finding.kind(), "failure", crash.place()));
    }
    return text.append('\n').toString();
  }

  /** A race is a store and a load, wherever this run happened to persist the store. */
  private static List<Role> identifying(FindingKind kind) {
    return kind == FindingKind.PERSISTENCY_RACE
        ? List.of(Role.STORE, Role.LOAD)
        : List.of(Role.values());
  }

  private void append(StringBuilder text, FindingKind kind, String role, Place place) {
    List<Frame> frames = new ArrayList<>(place.site().frames());
    if (kind == FindingKind.REDUNDANT_FLUSH
        || kind == FindingKind.REDUNDANT_FENCE
        || kind == FindingKind.REDUNDANT_LOG) {
      List<Frame> callers = place.callers().frames();
      frames.addAll(callers.subList(0, Math.min(CALLERS_OF_NEEDLESS_OPERATION, callers.size())));
    }
    text.append('\n').append(role);
    for (Frame frame : frames) {
      String line = source.line(frame.file(), frame.line()).orElse(frame.fileName());
      text.append('\n').append(frame.functionAndOffset()).append('\t').append(line.strip());
    }
  }

  private static String id(FindingKind kind, String identity) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
      return kind.prefix() + "-" + HexFormat.of().withUpperCase().formatHex(hash, 0, 3);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
