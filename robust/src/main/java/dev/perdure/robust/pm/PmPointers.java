package dev.perdure.robust.pm;

import dev.perdure.llvm.ir.Value;
import dev.perdure.robust.program.Values;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which pointers of a program may point into persistent memory: what the mapping functions and
 * allocators return, whatever it is assigned to, and every pointer that is loaded from persistent
 * memory, for an earlier run may have left it there.
 */
public final class PmPointers {
  /** What the precise search may cost: a few seconds. */
  private static final long MOST_WORK = 30_000_000;

  private final Values values;
  private final PointerGraph graph;
  private final ValueAliases aliases;
  private final BitSet pointers = new BitSet();
  private final BitSet intoPointers;
  private final Deque<Integer> open = new ArrayDeque<>();
  private final Map<IntSet, Set<Integer>> passed = new IdentityHashMap<>();
  private PointerClasses classes;

  PmPointers(Values values, PointerGraph graph, Set<Integer> seeds, BitSet intoPointers) {
    this.values = values;
    this.graph = graph;
    this.aliases = new ValueAliases(graph, MOST_WORK);
    this.intoPointers = intoPointers;
    seeds.forEach(this::add);
    while (!open.isEmpty()) {
      spread(open.pop());
    }
  }

  /** Whether the value may be the address of persistent memory. */
  public boolean mayBePm(Value pointer) {
    return pointers.get(values.number(pointer));
  }

  /** Whether the program has any. */
  public boolean isEmpty() {
    return pointers.isEmpty();
  }

  private void add(int value) {
    if (!pointers.get(value)) {
      pointers.set(value);
      open.push(value);
    }
  }

  private void spread(int value) {
    graph.successors(value).forEach(this::add);
    graph.shifted(value).forEach(this::add);
    for (PointerGraph.Access load : graph.loadsThrough(value)) {
      if (isAddress(load.value())) {
        add(load.value());
      }
    }
    for (PointerGraph.Access store : graph.storesOf(value)) {
      if (store.field() != PointerGraph.ANY_FIELD) {
        graph.loadsOfField(store.field()).forEach(load -> add(load.value()));
      }
      IntSet places = places(store.pointer());
      if (passed.computeIfAbsent(places, p -> new HashSet<>()).add(store.field())) {
        pass(store, places);
      }
    }
  }

  /** What is stored in any of the places may be loaded from any of them. */
  private void pass(PointerGraph.Access store, IntSet places) {
    for (int i = 0; i < places.size(); i++) {
      for (PointerGraph.Access load : graph.loadsThrough(places.get(i))) {
        if (store.mayMeet(load)) {
          add(load.value());
        }
      }
    }
  }

  private IntSet places(int pointer) {
    return aliases
        .of(pointer)
        .orElseGet(
            () -> {
              if (classes == null) {
                classes = new PointerClasses(graph);
              }
              return classes.of(pointer);
            });
  }

  private boolean isAddress(int value) {
    return !values.isInteger(value) || intoPointers.get(value);
  }
}
