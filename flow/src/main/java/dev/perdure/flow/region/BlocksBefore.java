package dev.perdure.flow.region;

import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.flow.graph.PostDominators;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The blocks from whose ends every path leads to the access, without an acquire and with one
 * expression for the address. First all blocks that lead to it at all are gathered, then those are
 * taken away that also lead elsewhere, until nothing changes. A block whose last instruction is an
 * acquire, or makes the address, has no place for a start.
 */
final class BlocksBefore<A> {
  private final FlowGraph graph;
  private final Code<A> code;
  private final int origin;
  private final A atOrigin;
  private final Map<Integer, A> addressAtEnd = new HashMap<>();
  private final Map<Integer, Prefix<A>> prefixes = new HashMap<>();

  /**
   * @param origin the block of the access
   * @param atOrigin the address at the beginning of that block
   */
  BlocksBefore(
      FlowGraph graph, Code<A> code, PostDominators postDominators, int origin, A atOrigin) {
    this.graph = graph;
    this.code = code;
    this.origin = origin;
    this.atOrigin = atOrigin;
    gather(postDominators);
    prune();
  }

  private void gather(PostDominators postDominators) {
    Deque<Integer> work = new ArrayDeque<>();
    work.add(origin);
    while (!work.isEmpty()) {
      int block = work.remove();
      A address = block == origin ? atOrigin : prefixes.get(block).address();
      for (int predecessor : graph.predecessors(block)) {
        if (predecessor == origin
            || prefixes.containsKey(predecessor)
            || !postDominators.postDominates(origin, predecessor)) {
          continue;
        }
        Place end = new Place(predecessor, code.length(predecessor));
        Prefix<A> prefix = Prefix.of(code, end, address);
        if (prefix.index() < end.index()) {
          addressAtEnd.put(predecessor, address);
          prefixes.put(predecessor, prefix);
          if (prefix.isWhole()) {
            work.add(predecessor);
          }
        }
      }
    }
  }

  private void prune() {
    Deque<Integer> doubtful = new ArrayDeque<>(prefixes.keySet());
    while (!doubtful.isEmpty()) {
      int block = doubtful.remove();
      if (prefixes.containsKey(block) && !leadsOnlyToAccess(block)) {
        prefixes.remove(block);
        for (int predecessor : graph.predecessors(block)) {
          doubtful.add(predecessor);
        }
      }
    }
  }

  private boolean leadsOnlyToAccess(int block) {
    for (int successor : graph.successors(block)) {
      A there = atOrigin;
      if (successor != origin) {
        Prefix<A> prefix = prefixes.get(successor);
        if (prefix == null || !prefix.isWhole()) {
          return false;
        }
        there = prefix.address();
      }
      if (!there.equals(addressAtEnd.get(block))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the end of the block is a start. */
  boolean has(int block) {
    return prefixes.containsKey(block);
  }

  /** How far the region reaches back from the end of the block. */
  Prefix<A> prefix(int block) {
    return prefixes.get(block);
  }
}
