package dev.perdure.crash.recovery;

import dev.perdure.crash.image.SuspectRange;
import java.io.Serializable;
import java.util.List;

/**
 * One recovery run: an image, what to watch for, and what to run is all that it takes.
 *
 * @param number from 1
 * @param point the index of the failure point
 * @param image the name of the image
 * @param pools in the order of their indices
 * @param suspects bytes that must not be read first
 * @param words lock words that must be reset
 */
public record RecoveryJob(
    int number,
    int point,
    String image,
    RecoveryCommand command,
    List<PoolImage> pools,
    List<SuspectRange> suspects,
    List<WordCheck> words)
    implements Serializable {

  public RecoveryJob {
    pools = List.copyOf(pools);
    suspects = List.copyOf(suspects);
    words = List.copyOf(words);
  }
}
