package dev.perdure.trace.event;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.util.ArrayList;
import java.util.List;

/** What the numbers of sites and stacks in a trace stand for. */
public interface Symbols {
  /** The place of a site; {@link Site#UNKNOWN} where the trace does not tell. */
  Site site(int site);

  /** The call site on top of a stack, 0 for the empty stack. */
  int topSite(int stack);

  /** The stack below its top. */
  int parent(int stack);

  /** The stack as a person reads it, nearest caller first. */
  default CallStack callStack(int stack) {
    List<Frame> frames = new ArrayList<>();
    // A damaged table can lead round in a circle.
    int s = stack;
    for (int depth = 0; depth < 64 && s != 0 && frames.size() < 64; depth++, s = parent(s)) {
      frames.addAll(site(topSite(s)).frames());
    }
    return new CallStack(frames);
  }
}
