package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Instruction;
import dev.perdure.flow.call.KnownFunctions;
import dev.perdure.flow.graph.FlowGraph;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The basic blocks of a function. The last one is empty and stands for everything outside: it is
 * where returns and jumps to other functions go.
 */
public final class FunctionBlocks {
  private final Function function;
  private final JumpTargets targets;
  private final List<CallSite> callSites;
  private final Callees callees;
  private final int[] first;
  private final BitSet reached = new BitSet();
  private final FlowGraph graph;

  public FunctionBlocks(
      Function function, JumpTargets targets, List<CallSite> callSites, Callees callees) {
    this.function = function;
    this.targets = targets;
    this.callSites = callSites;
    this.callees = callees;
    int size = function.code().size();
    BitSet leaders = new BitSet();
    leaders.set(0);
    int[][] next = new int[size][];
    for (int i = 0; i < size; i++) {
      next[i] = successors(i);
      if (targets.contains(function.code().get(i).address())) {
        leaders.set(i);
      }
      if (next[i].length != 1 || next[i][0] != i + 1) {
        leaders.set(i + 1);
        Arrays.stream(next[i]).filter(n -> n < size).forEach(leaders::set);
      }
    }
    leaders.clear(size);
    this.first = leaders.stream().toArray();
    this.graph = graph(next);
  }

  /** What may be executed behind an instruction, by index; the function's size is outside. */
  private int[] successors(int index) {
    Instruction i = function.code().get(index);
    IntArrayList next = new IntArrayList();
    switch (i.operation()) {
      case JUMP -> next.add(inside(i.target()));
      case BRANCH, LOOP, TRANSACTION -> {
        next.add(index + 1);
        next.add(inside(i.target()));
      }
      case RETURN -> next.add(function.code().size());
      case INDIRECT_JUMP -> {
        next.add(function.code().size());
        for (int n = 0; n < function.code().size(); n++) {
          if (targets.containsIndirect(function.code().get(n).address())) {
            next.add(n);
          }
        }
      }
      case STOP -> {}
      case CALL, INDIRECT_CALL -> {
        if (callees.of(i).name().filter(KnownFunctions::neverReturns).isEmpty()) {
          next.add(index + 1);
        }
        callSites.stream()
            .filter(c -> c.contains(i.address()))
            .forEach(c -> next.add(inside(c.landingPad())));
      }
      default -> next.add(index + 1);
    }
    return new IntOpenHashSet(next).toIntArray();
  }

  private int inside(long address) {
    int index = function.indexOf(address);
    return index < 0 ? function.code().size() : index;
  }

  private FlowGraph graph(int[][] next) {
    int outside = first.length;
    int[][] edges = new int[outside + 1][];
    for (int block = 0; block < outside; block++) {
      edges[block] =
          Arrays.stream(next[start(block) + length(block) - 1])
              .map(n -> n == function.code().size() ? outside : Arrays.binarySearch(first, n))
              .toArray();
    }
    edges[outside] = new int[0];
    // Padding leads to the block behind it, but nothing leads to padding.
    for (int block = 0; block < outside; block++) {
      boolean entered = block == 0 || targets.contains(function.code().get(first[block]).address());
      if (entered || reached.get(block)) {
        reached.set(block);
        Arrays.stream(edges[block]).filter(b -> b < outside).forEach(reached::set);
      } else {
        edges[block] = new int[0];
      }
    }
    return FlowGraph.of(edges);
  }

  public FlowGraph graph() {
    return graph;
  }

  public int count() {
    return first.length;
  }

  public boolean isReached(int block) {
    return reached.get(block);
  }

  /** The index of the block's first instruction. */
  public int start(int block) {
    return first[block];
  }

  public int length(int block) {
    if (block == first.length) {
      return 0;
    }
    int end = block + 1 < first.length ? first[block + 1] : function.code().size();
    return end - first[block];
  }
}
