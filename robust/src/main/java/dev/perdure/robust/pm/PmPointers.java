package dev.perdure.robust.pm;

import dev.perdure.llvm.ir.Value;
import dev.perdure.robust.program.Values;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/**
 * Which pointers of a program may point into persistent memory: what the mapping functions and
 * allocators return, whatever it is assigned to, and every pointer that is loaded from persistent
 * memory, for an earlier run may have left it there.
 */
public final class PmPointers {
  private final Values values;
  private final PointerGraph graph;
  private final ValueAliases aliases;
  private final BitSet pointers = new BitSet();
  private final BitSet intoPointers;
  private final Deque<Integer> open = new ArrayDeque<>();

  PmPointers(Values values, PointerGraph graph, Set<Integer> seeds, BitSet intoPointers) {
    this.values = values;
    this.graph = graph;
    this.aliases = new ValueAliases(graph);
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
    for (PointerGraph.Access load : graph.loadsThrough(value)) {
      if (isAddress(load.value())) {
        add(load.value());
      }
    }
    for (PointerGraph.Access store : graph.storesOf(value)) {
      if (store.field() != PointerGraph.ANY_FIELD) {
        graph.loadsOfField(store.field()).forEach(load -> add(load.value()));
      }
      Optional<Set<Integer>> places = aliases.of(store.pointer());
      if (places.isPresent()) {
        for (int place : places.get()) {
          graph.loadsThrough(place).stream()
              .filter(store::mayMeet)
              .forEach(load -> add(load.value()));
        }
      } else {
        graph.loadsOfField(PointerGraph.ANY_FIELD).stream()
            .filter(load -> isAddress(load.value()))
            .forEach(load -> add(load.value()));
      }
    }
  }

  private boolean isAddress(int value) {
    return values.value(value).type().isPointer() || intoPointers.get(value);
  }
}
