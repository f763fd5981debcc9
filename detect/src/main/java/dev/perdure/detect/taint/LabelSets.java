package dev.perdure.detect.taint;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** What labels stand for: dependencies whose windows were open when last looked at. */
final class LabelSets {
  private static final int MOST_DEPENDENCIES = 32;
  private static final int MOST_OF_A_KIND = 2;
  private static final int FIRST_SWEEP = 1 << 16;

  private final Int2ObjectOpenHashMap<List<Dependency>> sets = new Int2ObjectOpenHashMap<>();
  private final Predicate<Dependency> isOpen;
  private int sweepAt = FIRST_SWEEP;

  LabelSets(Predicate<Dependency> isOpen) {
    this.isOpen = isOpen;
  }

  /** The dependencies of a label that are still open. */
  List<Dependency> open(int label) {
    List<Dependency> all = sets.get(label);
    if (all == null) {
      return List.of();
    }
    for (Dependency d : all) {
      if (!isOpen.test(d)) {
        return renewed(label, all);
      }
    }
    return all;
  }

  private List<Dependency> renewed(int label, List<Dependency> all) {
    List<Dependency> left = all.stream().filter(isOpen).toList();
    put(label, left);
    return left;
  }

  /** Notes what a label stands for. */
  void put(int label, List<Dependency> dependencies) {
    if (dependencies.isEmpty()) {
      sets.remove(label);
      return;
    }
    sets.put(label, dependencies);
    if (sets.size() > sweepAt) {
      sets.values().removeIf(list -> list.stream().noneMatch(isOpen));
      sweepAt = Math.max(FIRST_SWEEP, 2 * sets.size());
    }
  }

  void union(int label, int a, int b) {
    put(label, joined(open(a), open(b)));
  }

  /**
   * Both, without the oldest of those that would give the same finding: a sum over a large table
   * must not carry every load of it.
   */
  static List<Dependency> joined(List<Dependency> a, List<Dependency> b) {
    if (a.isEmpty() || a.equals(b)) {
      return b;
    }
    if (b.isEmpty()) {
      return a;
    }
    List<Dependency> list = new ArrayList<>(a);
    for (Dependency d : b) {
      if (!list.contains(d)) {
        list.add(d);
      }
    }
    if (list.size() <= MOST_OF_A_KIND) {
      return list;
    }
    list.sort(Comparator.comparingLong(Dependency::storeTime).reversed());
    List<Dependency> kept = new ArrayList<>();
    for (Dependency d : list) {
      long same = kept.stream().filter(d::givesTheSameAs).count();
      if (same < MOST_OF_A_KIND && kept.size() < MOST_DEPENDENCIES) {
        kept.add(d);
      }
    }
    return kept;
  }
}
