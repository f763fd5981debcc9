package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Values;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/**
 * What is known at one point of a function: the cells that are not clean, and the references that
 * are captured, each with the objects that it may point to (PMRobust's maps G_P, G_E and G_A; two
 * captured references are aliases if they share an object). References that are in neither map are
 * escaped. An object in which a reference to another captured object was put shares its fate with
 * that: their references have each other's objects from then on. So do objects that one reference
 * may point to: once it is escaped, nobody can tell any more which of them it gives away.
 */
final class FlowState {
  private final Map<Location, Cell> cells;
  private final Map<Integer, Set<Integer>> captured;
  private final Set<Integer> escaped;
  private final Set<Integer> enclosing;

  private FlowState(
      Map<Location, Cell> cells,
      Map<Integer, Set<Integer>> captured,
      Set<Integer> escaped,
      Set<Integer> enclosing) {
    this.cells = cells;
    this.captured = captured;
    this.escaped = escaped;
    this.enclosing = enclosing;
  }

  FlowState() {
    this(new HashMap<>(), new HashMap<>(), new HashSet<>(), new HashSet<>());
  }

  FlowState copy() {
    return new FlowState(
        new HashMap<>(cells),
        new HashMap<>(captured),
        new HashSet<>(escaped),
        new HashSet<>(enclosing));
  }

  Map<Location, Cell> cells() {
    return Collections.unmodifiableMap(cells);
  }

  void put(Location location, Cell cell) {
    if (cell.isClean()) {
      cells.remove(location);
    } else {
      cells.put(location, cell);
    }
  }

  void add(Location location, Cell cell) {
    Cell old = cells.get(location);
    Cell both = old == null ? cell : old.union(cell);
    if (both != old) {
      put(location, both);
    }
  }

  /** Changes every cell. */
  void change(UnaryOperator<Cell> change) {
    change((location, cell) -> true, change);
  }

  /** Changes some of the cells. */
  void change(BiPredicate<Location, Cell> where, UnaryOperator<Cell> change) {
    var entries = cells.entrySet().iterator();
    while (entries.hasNext()) {
      var entry = entries.next();
      if (!where.test(entry.getKey(), entry.getValue())) {
        continue;
      }
      Cell changed = change.apply(entry.getValue());
      if (changed.isClean()) {
        entries.remove();
      } else if (changed != entry.getValue()) {
        entry.setValue(changed);
      }
    }
  }

  void fence() {
    change(Cell::fenced);
  }

  void flush(Place range, boolean ordered) {
    cells.replaceAll(
        (location, cell) -> {
          if (!range.covers(location, cell.extent())) {
            return cell;
          }
          return ordered ? cell.flushed().fenced() : cell.flushed();
        });
    cells.values().removeIf(Cell::isClean);
  }

  boolean isEscaped(int reference) {
    return reference == Values.NONE || !captured.containsKey(reference);
  }

  /** The objects that a captured reference may point to. */
  Set<Integer> objects(int reference) {
    return captured.getOrDefault(reference, Set.of());
  }

  void capture(int reference, Set<Integer> objects) {
    captured.put(reference, Set.copyOf(objects));
    escaped.remove(reference);
  }

  /** A reference of which it is known that others can find its object. */
  void markEscaped(int reference) {
    captured.remove(reference);
    escaped.add(reference);
  }

  /** The objects of a reference, and with them all references to them, can be found by others. */
  void escape(int reference) {
    Set<Integer> found = new HashSet<>(objects(reference));
    boolean grew = !found.isEmpty();
    while (grew) {
      grew = false;
      for (Set<Integer> objects : captured.values()) {
        grew |= !Collections.disjoint(objects, found) && found.addAll(objects);
      }
    }
    captured
        .entrySet()
        .removeIf(
            entry -> {
              boolean alias = !Collections.disjoint(entry.getValue(), found);
              if (alias) {
                escaped.add(entry.getKey());
              }
              return alias;
            });
  }

  /** A captured reference is put into a captured object: others can find both, or neither. */
  void enclose(int reference, int in) {
    Set<Integer> together = new HashSet<>(objects(reference));
    together.addAll(objects(in));
    captured.replaceAll(
        (other, objects) -> {
          if (Collections.disjoint(objects, together)) {
            return objects;
          }
          Set<Integer> all = new HashSet<>(objects);
          all.addAll(together);
          return Set.copyOf(all);
        });
    enclosing.addAll(together);
  }

  /** Whether what is loaded from a captured object may lead to another captured one. */
  boolean encloses(int reference) {
    return !Collections.disjoint(objects(reference), enclosing);
  }

  /**
   * A value is computed anew. Locations that were found by its old one cannot be flushed any more:
   * what is left of them belongs to the object as a whole, or to no reference at all.
   */
  void define(int value) {
    Map<Location, Cell> lost = new HashMap<>();
    cells
        .entrySet()
        .removeIf(
            entry -> {
              Location location = entry.getKey();
              boolean based = location.base() == value;
              if (based || location.isIndexedBy(value)) {
                Location rest = based ? Location.ELSEWHERE : Location.somewhereIn(location.base());
                lost.merge(rest, entry.getValue(), Cell::union);
                return true;
              }
              return false;
            });
    lost.forEach(this::add);
    captured.remove(value);
    escaped.remove(value);
  }

  /** Adds what another way to the same point brings. */
  void join(FlowState other) {
    other.cells.forEach(this::add);
    escaped.addAll(other.escaped);
    enclosing.addAll(other.enclosing);
    other.captured.forEach(
        (reference, objects) ->
            captured.merge(
                reference,
                objects,
                (a, b) -> {
                  Set<Integer> both = new HashSet<>(a);
                  both.addAll(b);
                  return Set.copyOf(both);
                }));
    // Captured on one way, and on the other something that others can find.
    List.copyOf(captured.keySet()).stream().filter(escaped::contains).forEach(this::escape);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FlowState s
        && cells.equals(s.cells)
        && captured.equals(s.captured)
        && escaped.equals(s.escaped)
        && enclosing.equals(s.enclosing);
  }

  @Override
  public int hashCode() {
    return cells.hashCode() * 31 + captured.hashCode();
  }
}
