package dev.perdure.detect.taint;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** What labels stand for: dependencies whose windows were open when last looked at. */
final class LabelSets {
  private static final int MOST_DEPENDENCIES = 256;
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

  /** Notes what a label stands for; a set that would be too large keeps what came first. */
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

  static List<Dependency> joined(List<Dependency> a, List<Dependency> b) {
    if (a.isEmpty() || a.equals(b)) {
      return b;
    }
    if (b.isEmpty()) {
      return a;
    }
    Set<Dependency> both = new LinkedHashSet<>(a);
    both.addAll(b);
    List<Dependency> list = new ArrayList<>(both);
    return list.size() > MOST_DEPENDENCIES ? list.subList(0, MOST_DEPENDENCIES) : list;
  }
}
