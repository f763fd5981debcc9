package dev.perdure.model.finding;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Where one role of a finding stands: the site of the access and the calls that led there. */
public record Place(Site site, CallStack callers) implements Serializable {

  /** Function, file and line of the access itself. */
  public Frame frame() {
    return site.innermost();
  }

  /**
   * The line that a reader knows: that of the access, or the nearest one that uses it where it
   * stands in a header of the system.
   */
  public Frame ownFrame() {
    return frame().isInSystemHeader()
        ? stack().stream()
            .filter(f -> !f.file().isEmpty() && !f.isInSystemHeader())
            .findFirst()
            .orElse(frame())
        : frame();
  }

  /** What findings.json calls the stack: the rest of the inline chain, then the callers. */
  public List<Frame> stack() {
    List<Frame> frames = new ArrayList<>(site.frames().subList(1, site.frames().size()));
    frames.addAll(callers.frames());
    return frames;
  }
}
