package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolRange;
import java.util.ArrayList;
import java.util.List;

/** Which commit variable a byte belongs to, and which bytes are such variables or lock words. */
public final class CommitSets {
  private final List<CommitVariable> speaking;
  private final List<PoolRange> exempt = new ArrayList<>();
  private final boolean everything;

  public CommitSets(Declarations declarations) {
    List<CommitVariable> all = declarations.commitVariables();
    everything = Declarations.coversEverything(all);
    speaking = declarations.writtenVariables();
    all.forEach(v -> exempt.add(v.range()));
    declarations.syncWords().forEach(w -> exempt.add(w.range()));
  }

  /** Whether a byte is part of a commit variable or of a declared lock word. */
  public boolean isVariable(long address) {
    for (PoolRange range : exempt) {
      if (range.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** The index of the written variable that covers a byte, negative for none. */
  public int variableOf(long address) {
    if (isVariable(address)) {
      return -1;
    }
    for (int i = 0; i < speaking.size(); i++) {
      if (everything) {
        return i;
      }
      for (PoolRange range : speaking.get(i).covered()) {
        if (range.contains(address)) {
          return i;
        }
      }
    }
    return -1;
  }
}
