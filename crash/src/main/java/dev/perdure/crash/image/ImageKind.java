package dev.perdure.crash.image;

import java.util.Locale;
import java.util.Optional;

/** Which of the possible contents of persistent memory recovery is given. */
public enum ImageKind {
  /** Everything that was stored, XFDetector's choice. */
  LATEST,
  /** Only what is persistent for certain. */
  PERSISTED,
  /** Every content that the machine allows, as far as their number is bearable. */
  ALL;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ImageKind> byLabel(String label) {
    for (ImageKind kind : values()) {
      if (kind.label().equals(label)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
