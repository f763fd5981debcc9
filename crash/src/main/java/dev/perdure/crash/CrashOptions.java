package dev.perdure.crash;

import dev.perdure.crash.image.ImageKind;
import dev.perdure.crash.point.PointRules;
import dev.perdure.crash.recovery.RecoveryCommand;
import java.util.Set;

/**
 * What a crash test is to do.
 *
 * @param images which of the possible images
 * @param mostImages of one failure point
 * @param needsFlushes whether stores are persistent only after flush and fence
 */
public record CrashOptions(
    PointRules points,
    Set<ImageKind> images,
    int mostImages,
    boolean needsFlushes,
    RecoveryCommand recovery,
    long seed) {
  public CrashOptions {
    images = Set.copyOf(images);
  }
}
