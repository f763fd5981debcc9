package dev.perdure.model.finding;

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
 */
public record DurableEffect(
    Flow flow,
    long address,
    long length,
    int thread,
    long time,
    int distinct,
    Optional<Recovery> recovery) {

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

  /** The same effect after its validation. */
  public DurableEffect validated(Recovery verdict) {
    return new DurableEffect(flow, address, length, thread, time, distinct, Optional.of(verdict));
  }
}
