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
        : amidInlined(row, before)
            .or(() -> beforeNamelessStore(address, row, before))
            .or(() -> testedBehindCall(address, row, before))
            .orElse(address);
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
    return ownLine(inlined.get(), before, lines.address(after));
  }

  /**
   * A comparison with memory behind the code of a function that was inlined, with the line of that
   * very call, and a store between it and the use of its flags that has no line of its own: the
   * rest of the inlined function (clang 14 forgets the line of an exchange that it turns into a
   * store). Were the comparison's operand the caller's, nothing would part it from the use.
   */
  private Optional<Long> beforeNamelessStore(long address, int row, int before) {
    Optional<CodeScope> inlined = function.inlinedAt(lines.address(before));
    int after = lines.after(row);
    return after >= 0
            && inlined.isPresent()
            && lines.isLine(row, inlined.get().callFile(), inlined.get().callLine())
            && code.storesBehindComparison(address, lines.address(after))
        ? ownLine(inlined.get(), before, address)
        : Optional.empty();
  }

  /** The last line before some code that is an inlined function's own, if nothing leaves it. */
  private Optional<Long> ownLine(CodeScope inlined, int before, long end) {
    int own = before;
    while (own >= 0 && !inlined.hasItself(lines.address(own))) {
      own = lines.before(own);
    }
    return own >= 0 && code.between(lines.address(own), end)
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
