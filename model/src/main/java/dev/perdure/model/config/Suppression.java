package dev.perdure.model.config;

import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Role;
import java.util.Map;
import java.util.Optional;

/**
 * One {@code [[suppress]]} block: which findings it covers, and why they do not count. All
 * conditions that it has must hold.
 *
 * @param id the id of one finding
 * @param roles what the site of a role must be, by the label of the role
 * @param any what at least one frame must be, of any site or call stack of the finding
 * @param benign whether the finding stays in the report, marked with the reason
 * @param origin where the block stands, for messages: {@code perdure.toml:12}
 * @param shipped whether it comes with Perdure; then it is no news if it covers nothing
 */
public record Suppression(
    Optional<FindingKind> kind,
    Optional<String> id,
    Map<Role, FramePattern> roles,
    Optional<FramePattern> any,
    String reason,
    boolean benign,
    String origin,
    boolean shipped) {

  public Suppression {
    roles = Map.copyOf(roles);
  }

  /** One of the project's own. */
  public Suppression(
      Optional<FindingKind> kind,
      Optional<String> id,
      Map<Role, FramePattern> roles,
      Optional<FramePattern> any,
      String reason,
      boolean benign,
      String origin) {
    this(kind, id, roles, any, reason, benign, origin, false);
  }

  /** The same as one that comes with Perdure. */
  public Suppression asShipped() {
    return new Suppression(kind, id, roles, any, reason, benign, origin, true);
  }
}
