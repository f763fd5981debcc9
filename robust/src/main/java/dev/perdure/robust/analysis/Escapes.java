package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Step;
import java.util.HashSet;
import java.util.Set;

/** How objects that nobody else knows come to be known, or stay unknown under another name. */
final class Escapes {
  private final Requirements requirements;

  Escapes(Requirements requirements) {
    this.requirements = requirements;
  }

  /**
   * A reference is stored. Into an object of this function that nobody can reach, either, it can go
   * without being reachable; what callers know of their objects has no word for that.
   */
  static void put(int reference, int into, FlowState state) {
    boolean local =
        !state.isEscaped(reference)
            && !state.isEscaped(into)
            && state.objects(reference).stream().allMatch(object -> object >= 0)
            && state.objects(into).stream().allMatch(object -> object >= 0);
    if (local) {
      state.enclose(reference, into);
    } else {
      state.escape(reference);
    }
  }

  /** A reference is computed from others. */
  static void copy(Step.Copy copy, FlowState state) {
    Set<Integer> objects = new HashSet<>();
    boolean captured = !copy.sources().isEmpty();
    for (int source : copy.sources()) {
      captured &= !state.isEscaped(source);
      objects.addAll(state.objects(source));
    }
    if (captured) {
      state.capture(copy.target(), objects);
    } else {
      copy.sources().forEach(state::escape);
    }
  }

  /** What leaves the function, or is loaded from, may give away what it encloses. */
  void reveal(int id, int reference, FlowState state) {
    if (state.encloses(reference)) {
      publish(id, reference, state);
    }
  }

  /**
   * A reference is stored outside of persistent memory. If more than one location of its object is
   * not clean, others could from now on see one of them without the other.
   */
  void publish(int id, int reference, FlowState state) {
    if (state.isEscaped(reference)) {
      return;
    }
    state.escape(reference);
    long unclean =
        state.cells().keySet().stream().filter(location -> location.base() == reference).count();
    if (unclean > 1) {
      requirements.check(id, state, (location, cell) -> true, origin -> false, false);
    }
  }
}
