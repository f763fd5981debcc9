package dev.perdure.robust.analysis;

import java.util.Set;

/**
 * A function with what is known of its arguments: the parameters whose objects are captured. The
 * persistency states of the arguments are no part of it, for {@link Summary} holds for all of them.
 */
record Context(int routine, Set<Integer> captured) {
  Context {
    captured = Set.copyOf(captured);
  }

  /** The number of the object that a captured parameter points to. */
  static int objectOf(int parameter) {
    return -1 - parameter;
  }

  /** The parameter that points to an object of a caller. */
  static int parameterOf(int object) {
    return -1 - object;
  }

  /** Whether this context is higher: of the same function, and with more captured. */
  boolean isAbove(Context other) {
    return routine == other.routine && captured.containsAll(other.captured);
  }
}
