package dev.perdure.model.finding;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.TemplateArguments;
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
   * stands in a header of the system, or in the library that makes atomic accesses for compilers.
   */
  public Frame ownFrame() {
    return frame().isInSystemHeader() || isInAtomicLibrary()
        ? stack().stream()
            .filter(f -> !f.file().isEmpty() && !f.isInSystemHeader())
            .findFirst()
            .orElse(frame())
        : frame();
  }

  private boolean isInAtomicLibrary() {
    return frame().file().isEmpty() && frame().module().startsWith("libatomic.so");
  }

  /** Function and line in a sentence, without what makes C++ names long. */
  public String description() {
    Frame frame = ownFrame();
    String function =
        frame.function().isEmpty()
            ? "an unknown function"
            : TemplateArguments.shortened(frame.functionAndOffset());
    return frame.file().isEmpty()
        ? function
        : "%s (%s:%d)".formatted(function, frame.fileName(), frame.line());
  }

  /** What findings.json calls the stack: the rest of the inline chain, then the callers. */
  public List<Frame> stack() {
    List<Frame> frames = new ArrayList<>(site.frames().subList(1, site.frames().size()));
    frames.addAll(callers.frames());
    return frames;
  }
}
