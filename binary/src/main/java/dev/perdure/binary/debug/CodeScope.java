package dev.perdure.binary.debug;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A function with code of its own, or one that was inlined: then where it was called. */
final class CodeScope {
  private final Unit unit;
  private final int entry;
  private final Ranges ranges;
  private final int callFile;
  private final int callLine;
  private final List<CodeScope> inlined = new ArrayList<>(0);

  CodeScope(Unit unit, int entry, Ranges ranges, int callFile, int callLine) {
    this.unit = unit;
    this.entry = entry;
    this.ranges = ranges;
    this.callFile = callFile;
    this.callLine = callLine;
  }

  void add(CodeScope scope) {
    inlined.add(scope);
  }

  Optional<CodeScope> inlinedAt(long address) {
    for (CodeScope scope : inlined) {
      if (scope.ranges.contains(address)) {
        return Optional.of(scope);
      }
    }
    return Optional.empty();
  }

  /** Whether an address belongs to this very instance, not to something inlined into it. */
  boolean hasItself(long address) {
    return ranges.contains(address) && inlinedAt(address).isEmpty();
  }

  Unit.Reference entry() {
    return new Unit.Reference(unit, entry);
  }

  int callFile() {
    return callFile;
  }

  int callLine() {
    return callLine;
  }
}
