package dev.perdure.binary.plan;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.binary.decode.Operation;
import dev.perdure.binary.flow.Function;
import dev.perdure.binary.flow.JumpTargets;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Functions in runs: stretches of code that are entered at their first instruction only, and that
 * end where something else may jump to, or with a call.
 */
record CodeRuns(JumpTargets targets) {
  /**
   * Instructions by their index.
   *
   * @param site the first observed one, or -1
   * @param end the first behind it; a call is executed where it is, and not a part of its run
   * @param early whether something in it is observed also where there is no persistent memory
   */
  record Run(Function function, int first, int site, int end, boolean early) {
    long address(int index) {
      return function.code().get(index).address();
    }

    long endAddress() {
      return end == 0 ? function.start() : function.code().get(end - 1).end();
    }

    boolean endsFlow() {
      return end > 0 && function.code().get(end - 1).operation().endsFlow();
    }
  }

  void forEach(Function function, BitSet sites, BitSet always, Consumer<Run> action) {
    List<Instruction> code = function.code();
    for (int first = 0; first < code.size(); ) {
      int next = first + 1;
      while (!endsBefore(code, next)) {
        next++;
      }
      int site = sites.nextSetBit(first);
      int end = callStays(code, next);
      if (site >= 0 && site < next || end > first) {
        int early = always.nextSetBit(first);
        boolean isEarly = early >= 0 && early < next;
        action.accept(new Run(function, first, site < next ? site : -1, end, isEarly));
      }
      first = next;
    }
  }

  /** Whether a run ends before the instruction with that index. */
  boolean endsBefore(List<Instruction> code, int next) {
    Operation last = code.get(next - 1).operation();
    return last == Operation.CALL
        || last == Operation.INDIRECT_CALL
        || last.endsFlow()
        || next == code.size()
        || targets.contains(code.get(next).address());
  }

  private static int callStays(List<Instruction> code, int end) {
    Operation last = code.get(end - 1).operation();
    return last == Operation.CALL || last == Operation.INDIRECT_CALL ? end - 1 : end;
  }
}
