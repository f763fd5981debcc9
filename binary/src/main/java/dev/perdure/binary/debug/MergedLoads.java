package dev.perdure.binary.debug;

import java.util.Optional;

/**
 * Instructions of a function that stand amid the code of another one that was inlined into it, and
 * have the line of that very call. Nothing is called and nothing jumps between the two.
 */
record MergedLoads(LineTable lines, CodeScope function, StraightCode code) {
  /**
   * An address whose place is that of the instruction: its own, or one before it in the inlined
   * function.
   */
  long placeOf(long address) {
    int row = lines.row(address);
    int before = row;
    while (before >= 0 && belongs(before, row)) {
      before = lines.before(before);
    }
    int after = row;
    while (after >= 0 && belongs(after, row)) {
      after = lines.after(after);
    }
    if (before < 0 || after < 0) {
      return address;
    }
    Optional<CodeScope> inlined = function.inlinedAt(lines.address(before));
    boolean amid =
        inlined.isPresent()
            && inlined.equals(function.inlinedAt(lines.address(after)))
            && inlined.get().hasItself(lines.address(before))
            && lines.isLine(row, inlined.get().callFile(), inlined.get().callLine())
            && code.between(lines.address(before), lines.address(after));
    return amid ? lines.address(before) : address;
  }

  private boolean belongs(int row, int to) {
    return lines.address(row) == lines.address(to)
        || lines.sameLine(row, to) && function.hasItself(lines.address(row));
  }
}
