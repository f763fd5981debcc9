package dev.perdure.robust.pm;

import dev.perdure.robust.program.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How pointers move in a program: assignments between values, and loads and stores through them.
 * This is the program expression graph of Zheng and Rugina, with the dereferences kept as accesses
 * of their pointer.
 */
final class PointerGraph {
  /** The access is not known to be of a certain field. */
  static final int ANY_FIELD = 0;

  /**
   * A load or store through a pointer.
   *
   * @param value what is loaded or stored
   * @param field the number of the field, or {@link #ANY_FIELD}
   */
  record Access(int pointer, int value, int field) {
    boolean mayMeet(Access other) {
      return field == ANY_FIELD || other.field == ANY_FIELD || field == other.field;
    }
  }

  private final List<List<Integer>> successors = new ArrayList<>();
  private final List<List<Integer>> predecessors = new ArrayList<>();
  private final List<List<Integer>> shifted = new ArrayList<>();
  private final Map<Integer, List<Access>> loadsThrough = new HashMap<>();
  private final Map<Integer, List<Access>> storesThrough = new HashMap<>();
  private final Map<Integer, Access> loadOf = new HashMap<>();
  private final Map<Integer, List<Access>> storesOf = new HashMap<>();
  private final Map<Integer, List<Access>> loadsOfField = new HashMap<>();
  private int size;

  /** All numbers in the graph are below this one. */
  int size() {
    return size;
  }

  /** What flows from one value to another. */
  void assign(int from, int to) {
    if (from == Values.NONE || to == Values.NONE || from == to) {
      return;
    }
    note(from);
    note(to);
    list(successors, from).add(to);
    list(predecessors, to).add(from);
  }

  /** A distance is added to an address: the object stays the same, but the sum may be another's. */
  void shift(int distance, int to) {
    if (distance != Values.NONE) {
      note(distance);
      note(to);
      list(shifted, distance).add(to);
    }
  }

  void load(Access access) {
    if (access.pointer() == Values.NONE) {
      return;
    }
    note(access.pointer());
    note(access.value());
    loadsThrough.computeIfAbsent(access.pointer(), p -> new ArrayList<>()).add(access);
    loadOf.put(access.value(), access);
    loadsOfField.computeIfAbsent(access.field(), f -> new ArrayList<>()).add(access);
  }

  void store(Access access) {
    if (access.pointer() == Values.NONE || access.value() == Values.NONE) {
      return;
    }
    note(access.pointer());
    note(access.value());
    storesThrough.computeIfAbsent(access.pointer(), p -> new ArrayList<>()).add(access);
    storesOf.computeIfAbsent(access.value(), v -> new ArrayList<>()).add(access);
  }

  List<Integer> successors(int value) {
    return value < successors.size() ? successors.get(value) : List.of();
  }

  /** The addresses that a value is a distance in. */
  List<Integer> shifted(int value) {
    return value < shifted.size() ? shifted.get(value) : List.of();
  }

  List<Integer> predecessors(int value) {
    return value < predecessors.size() ? predecessors.get(value) : List.of();
  }

  List<Access> loadsThrough(int pointer) {
    return loadsThrough.getOrDefault(pointer, List.of());
  }

  List<Access> storesThrough(int pointer) {
    return storesThrough.getOrDefault(pointer, List.of());
  }

  List<Access> storesOf(int value) {
    return storesOf.getOrDefault(value, List.of());
  }

  List<Access> loadsOfField(int field) {
    return loadsOfField.getOrDefault(field, List.of());
  }

  /** The load that a value comes from; null if it comes from none. */
  Access loadOf(int value) {
    return loadOf.get(value);
  }

  private void note(int value) {
    size = Math.max(size, value + 1);
  }

  private static List<Integer> list(List<List<Integer>> lists, int index) {
    while (lists.size() <= index) {
      lists.add(new ArrayList<>(2));
    }
    return lists.get(index);
  }
}
