package dev.perdure.model.code;

import java.io.Serializable;
import java.util.List;

/**
 * A place in the program: a source line together with its inline chain, innermost function first.
 * Never empty.
 */
public record Site(List<Frame> frames) implements Serializable {
  public static final Site UNKNOWN = new Site(List.of(Frame.UNKNOWN));

  public Site {
    if (frames.isEmpty()) {
      throw new IllegalArgumentException("a site has at least one frame");
    }
    frames = List.copyOf(frames);
  }

  /** The line where the access is written. */
  public Frame innermost() {
    return frames.get(0);
  }
}
