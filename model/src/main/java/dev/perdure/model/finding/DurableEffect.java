package dev.perdure.model.finding;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What unpersisted bytes flowed into: an example, and what recovery made of it. The place is that
 * of {@link Role#EFFECT}.
 *
 * @param address of what was written to persistent memory; 0 for files
 * @param time nanoseconds since the start of the recording
 * @param distinct at how many places such effects were seen
 * @param recovery empty where the effect was not validated
 * @param others what else the bytes flowed into, at other places or in other ways, while that is
 *     still to be validated
 */
public record DurableEffect(
    Flow flow,
    long address,
    long length,
    int thread,
    long time,
    int distinct,
    Optional<Recovery> recovery,
    List<Elsewhere> others) {

  /** An effect and its place. */
  public record Elsewhere(Place place, DurableEffect effect) {}

  public DurableEffect {
    others = List.copyOf(others);
  }

  /** The only one. */
  public DurableEffect(
      Flow flow,
      long address,
      long length,
      int thread,
      long time,
      int distinct,
      Optional<Recovery> recovery) {
    this(flow, address, length, thread, time, distinct, recovery, List.of());
  }

  /** How the bytes got into the effect. */
  public enum Flow {
    CONTENT,
    ADDRESS,
    FILE;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Flow> byLabel(String label) {
      for (Flow flow : values()) {
        if (flow.label().equals(label)) {
          return Optional.of(flow);
        }
      }
      return Optional.empty();
    }
  }

  /** Whether recovery overwrote all bytes of the effect. */
  public enum Recovery {
    RECOVERED,
    NOT_RECOVERED;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Recovery> byLabel(String label) {
      for (Recovery recovery : values()) {
        if (recovery.label().equals(label)) {
          return Optional.of(recovery);
        }
      }
      return Optional.empty();
    }
  }

  /** The same effect, by itself, after its validation. */
  public DurableEffect validated(Optional<Recovery> verdict) {
    return new DurableEffect(flow, address, length, thread, time, distinct, verdict);
  }

  /**
   * How much there is to say of an effect, for choosing among those of a finding: what recovery
   * leaves in place counts most, then what it cannot repair; what it repairs counts more only than
   * what it was not asked about.
   */
  public int weight() {
    if (recovery.equals(Optional.of(Recovery.NOT_RECOVERED))) {
      return 3;
    }
    if (flow == Flow.FILE) {
      return 2;
    }
    return recovery.isPresent() ? 1 : 0;
  }
}
