package dev.perdure.binary.debug;

import java.util.Optional;

/**
 * Loads that a compiler has merged with the use of what they load, and given the use's line
 * although they are made before it.
 */
record MergedLoads(LineTable lines, CodeScope function, StraightCode code) {
  /** An address whose place is that of the instruction: its own, or one before it. */
  long placeOf(long address) {
    int row = lines.row(address);
    int before = before(row);
    return before < 0
        ? address
        : amidInlined(row, before).or(() -> testedBehindCall(address, row, before)).orElse(address);
  }

  private int before(int row) {
    int before = row;
    while (before >= 0 && belongs(before, row)) {
      before = lines.before(before);
    }
    return before;
  }

  /**
   * An instruction that stands amid the code of another function that was inlined, and has the line
   * of that very call. Nothing is called and nothing jumps between the two.
   */
  private Optional<Long> amidInlined(int row, int before) {
    int after = row;
    while (after >= 0 && belongs(after, row)) {
      after = lines.after(after);
    }
    Optional<CodeScope> inlined = function.inlinedAt(lines.address(before));
    if (after < 0
        || inlined.isEmpty()
        || !inlined.equals(function.inlinedAt(lines.address(after)))
        || !lines.isLine(row, inlined.get().callFile(), inlined.get().callLine())) {
      return Optional.empty();
    }
    int own = before;
    while (own >= 0 && !inlined.get().hasItself(lines.address(own))) {
      own = lines.before(own);
    }
    return own >= 0 && code.between(lines.address(own), lines.address(after))
        ? Optional.of(lines.address(own))
        : Optional.empty();
  }

  /**
   * A load whose value is used behind a call of another line, in the line that the load has: no
   * compiler moves it over the call, so that it was written before it.
   */
  private Optional<Long> testedBehindCall(long address, int row, int before) {
    return code.useBehindCall(address)
        .filter(use -> hasLine(use.use(), row) && !hasLine(use.call(), row))
        .filter(use -> function.hasItself(use.use()))
        .map(use -> lines.address(before))
        .filter(place -> function.hasItself(place) && code.between(place, address));
  }

  private boolean hasLine(long address, int row) {
    int at = lines.row(address);
    return at >= 0 && lines.sameLine(at, row);
  }

  private boolean belongs(int row, int to) {
    return lines.address(row) == lines.address(to)
        || lines.sameLine(row, to) && function.hasItself(lines.address(row));
  }
}
