package dev.perdure.robust.analysis;

import dev.perdure.robust.program.CodeBlock;
import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Routine;
import dev.perdure.robust.program.Step;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a caller may bring to a function that is not clean, sorted by what the function can do for
 * it: memory that the function or its callees flush themselves (a range at a parameter), other
 * memory of a parameter's object, and all the rest. Each sort has two tokens, one for what comes
 * dirty and one for what comes flushed but not fenced.
 *
 * @param places for each sort of the first kind, what is flushed
 */
record Incoming(int parameters, List<Place> places, List<Integer> placeParameters) {
  private static final int MOST_PLACES = 32;

  /**
   * Stands for all atomic loads whose lines the thread has noted before the call. Where these lie
   * does not matter: a drain persists them all.
   */
  static final int NOTED = Integer.MIN_VALUE;

  /** Memory that no parameter refers to. */
  static final int REST = 0;

  Incoming {
    places = List.copyOf(places);
    placeParameters = List.copyOf(placeParameters);
  }

  int sorts() {
    return 1 + parameters + places.size();
  }

  /** The sort of other memory of a parameter's object. */
  static int ofParameter(int parameter) {
    return 1 + parameter;
  }

  /** The sort of memory at a distance from a parameter. */
  int sort(int parameter, Location relative, Cell cell) {
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      boolean same =
          placeParameters.get(i) == parameter
              && place.covers(
                  new Location(
                      place.location().base(),
                      relative.terms(),
                      relative.offset(),
                      relative.exact()),
                  cell.extent());
      if (same) {
        return 1 + parameters + i;
      }
    }
    return ofParameter(parameter);
  }

  static int dirtyToken(int sort) {
    return -2 * sort - 1;
  }

  static int pendingToken(int sort) {
    return -2 * sort - 2;
  }

  /** Finds what each function flushes for its callers. */
  static List<Incoming> of(Program program) {
    List<Set<Key>> keys = new ArrayList<>();
    program.routines().forEach(routine -> keys.add(new LinkedHashSet<>()));
    boolean grew = true;
    while (grew) {
      grew = false;
      for (Routine routine : program.routines()) {
        Set<Key> own = keys.get(routine.index());
        int before = own.size();
        for (CodeBlock block : routine.blocks()) {
          block.steps().forEach(step -> collect(step, routine, keys, own));
        }
        grew |= own.size() > before;
      }
    }
    List<Incoming> result = new ArrayList<>();
    for (Routine routine : program.routines()) {
      List<Key> own = List.copyOf(keys.get(routine.index()));
      result.add(
          new Incoming(
              routine.parameters().size(),
              own.stream().map(Key::place).toList(),
              own.stream().map(Key::parameter).toList()));
    }
    return result;
  }

  private record Key(int parameter, Place place) {}

  private static void collect(Step step, Routine routine, List<Set<Key>> keys, Set<Key> own) {
    if (step instanceof Step.Flush flush && flush.place().location().isConstant()) {
      add(routine, flush.place(), own);
    } else if (step instanceof Step.Call call) {
      for (Key key : List.copyOf(keys.get(call.routine()))) {
        if (key.parameter() < call.arguments().size()) {
          Location argument = call.arguments().get(key.parameter());
          if (argument.isConstant()) {
            long offset = argument.offset() + key.place().location().offset();
            add(
                routine,
                new Place(
                    Location.at(argument.base(), offset),
                    key.place().extent(),
                    argument.offset() == 0 ? key.place().alignment() : 1),
                own);
          }
        }
      }
    }
  }

  private static void add(Routine routine, Place place, Set<Key> own) {
    int parameter = routine.parameters().indexOf(place.location().base());
    if (parameter >= 0 && place.extent().isConstant() && own.size() < MOST_PLACES) {
      own.add(new Key(parameter, place));
    }
  }
}
