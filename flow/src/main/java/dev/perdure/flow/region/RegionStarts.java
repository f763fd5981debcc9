package dev.perdure.flow.region;

import dev.perdure.flow.graph.Dominators;
import dev.perdure.flow.graph.FlowGraph;
import dev.perdure.flow.graph.PostDominators;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the starts of the regions of a function's accesses.
 *
 * @param <A> addresses as the front end writes them
 */
public final class RegionStarts<A> {
  private final FlowGraph graph;
  private final Code<A> code;
  private final Dominators dominators;
  private final PostDominators postDominators;

  public RegionStarts(FlowGraph graph, Code<A> code) {
    this.graph = graph;
    this.code = code;
    this.dominators = Dominators.of(graph);
    this.postDominators = PostDominators.of(graph);
  }

  /** The starts of an access; there is at least one, if only the access itself. */
  public List<Start<A>> of(Place access, A address) {
    Prefix<A> own = Prefix.of(code, access, address);
    if (!own.isWhole()) {
      return List.of(own.start());
    }
    var before = new BlocksBefore<A>(graph, code, postDominators, access.block(), own.address());
    List<Start<A>> starts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(Set.of(access.block()));
    Deque<Prefix<A>> work = new ArrayDeque<>(List.of(own));
    while (!work.isEmpty()) {
      Prefix<A> prefix = work.remove();
      if (!prefix.isWhole() || !goOn(prefix.block(), access.block(), before, seen, work)) {
        starts.add(prefix.start());
      }
    }
    // Only a loop that nothing leads to has no beginning.
    return starts.isEmpty() ? List.of(own.start()) : starts;
  }

  /** Goes on into all blocks that lead to a block, or returns false if it may not. */
  private boolean goOn(
      int block, int origin, BlocksBefore<A> before, Set<Integer> seen, Deque<Prefix<A>> work) {
    List<Prefix<A>> next = new ArrayList<>();
    for (int predecessor : graph.predecessors(block)) {
      if (dominators.dominates(origin, predecessor)) {
        continue;
      }
      if (!before.has(predecessor)) {
        return false;
      }
      next.add(before.prefix(predecessor));
    }
    if (next.isEmpty() || block == 0) {
      return false;
    }
    next.stream().filter(prefix -> seen.add(prefix.block())).forEach(work::add);
    return true;
  }
}
