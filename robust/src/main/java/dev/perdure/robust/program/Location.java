package dev.perdure.robust.program;

import java.util.List;

/**
 * An abstract memory location: a reference, and how far from it. Two locations that are equal are
 * the same memory as long as none of the values they mention is computed anew.
 *
 * @param base the value that holds the reference; {@link Values#NONE} for memory that no value of
 *     the function refers to any more
 * @param terms the variable part of the distance (array indices)
 * @param exact whether the distance is known; otherwise it is somewhere in the object
 */
public record Location(int base, List<Term> terms, long offset, boolean exact) {
  /** Memory that nothing refers to any more. */
  public static final Location ELSEWHERE = somewhereIn(Values.NONE);

  public Location {
    terms = List.copyOf(terms);
  }

  /** Anywhere in the object that a reference points into. */
  public static Location somewhereIn(int base) {
    return new Location(base, List.of(), 0, false);
  }

  /** At a constant distance. */
  public static Location at(int base, long offset) {
    return new Location(base, List.of(), offset, true);
  }

  /** Whether the value takes part in the distance. */
  public boolean isIndexedBy(int value) {
    for (Term term : terms) {
      if (term.value() == value) {
        return true;
      }
    }
    return false;
  }

  /** Whether the distance is a known constant. */
  public boolean isConstant() {
    return exact && terms.isEmpty();
  }
}
