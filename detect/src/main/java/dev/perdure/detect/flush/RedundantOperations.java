package dev.perdure.detect.flush;

import dev.perdure.detect.sync.Origins;
import dev.perdure.trace.event.Symbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins the counts of an operation by its site and up to four callers, and finds the paths on which
 * every execution was needless.
 */
public final class RedundantOperations {
  private static final int CALLERS = 4;

  /** A path all of whose executions were needless; the origin is one of those on it. */
  public record Path(int origin, long count) {}

  private static final class Sum {
    private int origin;
    private long executions;
    private long needless;
  }

  private RedundantOperations() {}

  public static List<Path> find(Operations operations, Origins origins, Symbols symbols) {
    Map<List<Object>, Sum> paths = new LinkedHashMap<>();
    for (int origin = 0; origin < origins.size(); origin++) {
      if (operations.executions(origin) == 0) {
        continue;
      }
      Sum sum = paths.computeIfAbsent(path(origin, origins, symbols), k -> new Sum());
      sum.origin = sum.executions == 0 ? origin : sum.origin;
      sum.executions += operations.executions(origin);
      sum.needless += operations.needless(origin);
    }
    List<Path> result = new ArrayList<>();
    for (Sum sum : paths.values()) {
      if (sum.executions == sum.needless) {
        result.add(new Path(sum.origin, sum.executions));
      }
    }
    return result;
  }

  private static List<Object> path(int origin, Origins origins, Symbols symbols) {
    List<Object> path = new ArrayList<>();
    path.add(symbols.site(origins.site(origin)));
    int stack = origins.stack(origin);
    for (int i = 0; i < CALLERS && stack != 0; i++) {
      path.add(symbols.site(symbols.topSite(stack)));
      stack = symbols.parent(stack);
    }
    return path;
  }
}
