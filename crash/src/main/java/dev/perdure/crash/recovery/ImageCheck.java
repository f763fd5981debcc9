package dev.perdure.crash.recovery;

import dev.perdure.crash.image.SuspectRange;
import java.io.Serializable;
import java.util.List;

/**
 * What to watch for when recovery runs on the image of a failure point.
 *
 * @param point the index of the failure point
 * @param image the name of the image
 * @param suspects bytes that must not be read first
 * @param words lock words that must be reset
 */
public record ImageCheck(
    int point, String image, List<SuspectRange> suspects, List<WordCheck> words)
    implements Serializable {
  public ImageCheck {
    suspects = List.copyOf(suspects);
    words = List.copyOf(words);
  }
}
