package dev.perdure.crash.point;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.Symbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Ranges that were added to a transaction's log although they were in it already. An operation with
 * its nearest callers is reported if all of its executions were needless.
 */
public final class RedundantLogs {
  private static final int CALLERS = 4;

  private static final class Count {
    long all;
    long needless;
  }

  private final Symbols symbols;
  private final Map<Place, Count> byPath = new LinkedHashMap<>();

  RedundantLogs(Symbols symbols) {
    this.symbols = symbols;
  }

  void added(Event e, boolean needless) {
    List<Frame> callers = e.stack() == 0 ? List.of() : symbols.callStack(e.stack()).frames();
    Place path =
        new Place(
            symbols.site(e.site()),
            new CallStack(callers.subList(0, Math.min(CALLERS, callers.size()))));
    Count count = byPath.computeIfAbsent(path, p -> new Count());
    count.all++;
    count.needless += needless ? 1 : 0;
  }

  /** The operations that were needless every time. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    byPath.forEach(
        (path, count) -> {
          if (count.needless == count.all) {
            findings.add(finding(path, count.all));
          }
        });
    return findings;
  }

  private static Finding finding(Place path, long count) {
    String message =
        "%s adds a range to the log of a transaction that has it already, %d of %d times: leave it out"
            .formatted(path.description(), count, count);
    return new Finding(
        FindingKind.REDUNDANT_LOG,
        Map.of(Role.PERSIST, path),
        Map.of(),
        Set.of(),
        count,
        message,
        Optional.empty(),
        List.of());
  }
}
