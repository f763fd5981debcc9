package dev.perdure.crash.recovery;

import java.io.Serializable;
import java.util.List;

/**
 * One recovery run: a content of the pools, what to run on it, and what to watch for is all that it
 * takes. Images of several failure points may have that content: one run is checked for each.
 *
 * @param number from 1
 * @param pools in the order of their indices
 * @param checks one for each image, at least one
 */
public record RecoveryJob(
    int number, RecoveryCommand command, List<PoolImage> pools, List<ImageCheck> checks)
    implements Serializable {

  public RecoveryJob {
    pools = List.copyOf(pools);
    checks = List.copyOf(checks);
  }

  /** The same run, for one image only. */
  RecoveryJob only(ImageCheck check) {
    return new RecoveryJob(number, command, pools, List.of(check));
  }
}
