package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import java.util.List;

/** A function whose every instruction was decoded. */
public record Function(long start, long end, List<Instruction> code) {
  public Function {
    code = List.copyOf(code);
  }

  /** The index of the instruction at an address, or a negative number. */
  public int indexOf(long address) {
    int low = 0;
    int high = code.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long at = code.get(middle).address();
      if (at == address) {
        return middle;
      }
      if (at < address) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }
}
