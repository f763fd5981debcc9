package dev.perdure.model.code;

import java.io.Serializable;
import java.util.List;

/** The calls that led to an event, the nearest caller first; inline chains are unfolded. */
public record CallStack(List<Frame> frames) implements Serializable {
  public static final CallStack EMPTY = new CallStack(List.of());

  public CallStack {
    frames = List.copyOf(frames);
  }
}
