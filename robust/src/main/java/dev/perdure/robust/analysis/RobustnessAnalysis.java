package dev.perdure.robust.analysis;

import dev.perdure.robust.program.Program;
import dev.perdure.robust.program.Routine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** The whole-program analysis: a worklist of functions with their contexts. */
public final class RobustnessAnalysis {
  /** After so many visits of a context its summary is no longer replaced but only added to. */
  private static final int MOST_REPLACEMENTS = 40;

  private final Program program;
  private final List<Incoming> incoming;
  private final List<BlockOrder> orders;
  private final IntPredicate isAtomicRead;
  private final boolean hasAtomicReads;
  private final Set<Integer> oneLineStores;
  private final Set<Integer> reachable = new HashSet<>();
  private final Map<Context, Summary> summaries = new HashMap<>();
  private final Map<Context, Set<Context>> callers = new HashMap<>();
  private final Map<Context, Integer> visits = new HashMap<>();
  private final Deque<Context> open = new ArrayDeque<>();
  private final Set<Context> queued = new HashSet<>();

  public RobustnessAnalysis(Program program) {
    this.program = program;
    this.incoming = Incoming.of(program);
    this.orders = program.routines().stream().map(BlockOrder::new).toList();
    Set<Integer> atomicReads = StepKinds.atomicReads(program);
    this.isAtomicRead = atomicReads::contains;
    this.hasAtomicReads = !atomicReads.isEmpty();
    this.oneLineStores = StepKinds.oneLineStores(program);
  }

  /** All violations of the program as it is. */
  public Set<Violation> violations() {
    return report(new Repairs(false, Set.of()), false);
  }

  /**
   * Finds what has to be inserted so that no violation is left: first flushes behind the stores
   * that are to blame, then fences before the steps that need them (PMRobust, section VII). A store
   * that another store to reachable memory may follow is held instead of flushed.
   *
   * @param counters whether atomic accesses are guarded by FliT counters
   * @param exempt stores and atomic loads that need not be persistent
   */
  public Repairs repair(boolean counters, Set<Integer> exempt) {
    Repairs repairs = new Repairs(counters, exempt);
    int before;
    do {
      before = repairs.flushCount();
      for (Violation violation : report(repairs, false)) {
        boolean byProgram = violation.flushed() && !repairs.flushesAfter(violation.origin());
        if (byProgram) {
          continue;
        }
        // A function that cannot leave its line to the caller has flushed it already.
        if (!violation.flushed()
            && mayBeHeld(violation.origin())
            && oneLineStores.contains(violation.point())) {
          repairs.hold(violation.origin(), violation.point());
        } else {
          repairs.flushAfter(violation.origin());
        }
      }
    } while (repairs.flushCount() > before);
    do {
      before = repairs.fenceCount();
      report(repairs, true);
    } while (repairs.fenceCount() > before);
    return repairs;
  }

  /** New objects are better flushed as they are written: one fence does for all of their lines. */
  private boolean mayBeHeld(int store) {
    return oneLineStores.contains(store) && reachable.contains(store);
  }

  private Set<Violation> report(Repairs repairs, boolean placeFences) {
    solve(repairs);
    Set<Violation> found = new LinkedHashSet<>();
    Reporter reporter =
        new Reporter() {
          @Override
          public void violation(Violation violation) {
            found.add(violation);
          }

          @Override
          public void reachable(int store) {
            reachable.add(store);
          }

          @Override
          public boolean placesFences() {
            return placeFences;
          }
        };
    for (Context context : calleesFirst()) {
      int before = repairs.fenceCount();
      analyse(context, repairs, reporter);
      if (repairs.fenceCount() > before) {
        // What the function now does itself need not be done before each call of it.
        summaries.put(context, analyse(context, repairs, Reporter.NONE));
      }
    }
    return found;
  }

  /**
   * All contexts, those that are called before those that call them, as far as that is possible.
   */
  private List<Context> calleesFirst() {
    Map<Context, List<Context>> callees = new HashMap<>();
    callers.forEach(
        (callee, all) ->
            all.forEach(c -> callees.computeIfAbsent(c, k -> new ArrayList<>()).add(callee)));
    Set<Context> seen = new HashSet<>();
    Set<Context> ordered = new LinkedHashSet<>();
    Deque<Context> way = new ArrayDeque<>();
    for (Context start : summaries.keySet()) {
      way.push(start);
      while (!way.isEmpty()) {
        Context at = way.peek();
        if (seen.add(at)) {
          callees.getOrDefault(at, List.of()).stream()
              .filter(callee -> !seen.contains(callee))
              .forEach(way::push);
        } else {
          ordered.add(way.pop());
        }
      }
    }
    return List.copyOf(ordered);
  }

  private void solve(Repairs repairs) {
    summaries.clear();
    callers.clear();
    visits.clear();
    for (Routine routine : program.routines()) {
      if (routine.root()) {
        demand(new Context(routine.index(), Set.of()));
      }
    }
    while (!open.isEmpty()) {
      Context context = open.poll();
      queued.remove(context);
      Summary fresh = analyse(context, repairs, Reporter.NONE);
      Summary old = summaries.get(context);
      if (visits.merge(context, 1, Integer::sum) > MOST_REPLACEMENTS) {
        fresh = fresh.join(old);
      }
      if (!fresh.equals(old)) {
        summaries.put(context, fresh);
        callers.getOrDefault(context, Set.of()).forEach(this::enqueue);
      }
    }
  }

  private Summary analyse(Context context, Repairs repairs, Reporter reporter) {
    Routine routine = program.routines().get(context.routine());
    Transfer transfer =
        new Transfer(
            routine,
            context,
            isAtomicRead,
            incoming,
            callee -> {
              callers.computeIfAbsent(callee, c -> new LinkedHashSet<>()).add(context);
              return demand(callee);
            },
            repairs,
            reporter);
    return new RoutineAnalysis(
            routine,
            orders.get(routine.index()),
            context,
            incoming.get(routine.index()),
            transfer,
            !repairs.counters() && hasAtomicReads)
        .run();
  }

  /** The summary of a context; for a new one that of the contexts above it, for the time being. */
  private Summary demand(Context context) {
    Summary known = summaries.get(context);
    if (known != null) {
      return known;
    }
    Summary start = Summary.UNKNOWN_YET;
    for (var entry : summaries.entrySet()) {
      if (entry.getKey().isAbove(context)) {
        start = start.join(entry.getValue());
      }
    }
    summaries.put(context, start);
    enqueue(context);
    return start;
  }

  private void enqueue(Context context) {
    if (queued.add(context)) {
      open.add(context);
    }
  }
}
