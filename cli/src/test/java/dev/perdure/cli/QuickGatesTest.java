package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The entries into the runtime that are written by hand for the usual case record what the others
 * do. A pool at an address of its own is no usual case.
 */
class QuickGatesTest {
  private static final Path SOURCE =
      Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs/gates.c");

  private static final Set<Integer> KINDS =
      Set.of(
          EventKind.LOAD,
          EventKind.STORE,
          EventKind.STORE_NT,
          EventKind.FLUSH,
          EventKind.FENCE,
          EventKind.ACQUIRE,
          EventKind.RELEASE);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O2", "-O2 -fno-omit-frame-pointer"})
  void shouldRecordTheSameAsTheLongerWay(String options) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    List<String> all = new ArrayList<>(List.of("-no-pie", "-g", "-pthread", "-mclwb"));
    all.addAll(List.of(options.split(" ")));
    perdure.compile("gcc", Files.readString(SOURCE), "gates", all.toArray(String[]::new));
    perdure.run("run", "--out", "usual", "--pm", "pool", "--", "./gates", "pool");
    perdure.run("run", "--out", "longer", "--pm", "pool", "--", "./gates", "pool", "fixed");

    List<String> events = events("longer");
    assertThat(events("usual")).isEqualTo(events);
    assertThat(events).hasSizeGreaterThan(600);
  }

  private List<String> events(String run) throws Exception {
    List<String> all = new ArrayList<>();
    try (TraceFile trace = TraceFile.open(folder.resolve(run).resolve("trace"))) {
      long pool = 0;
      Event e = new Event();
      while (trace.next(e)) {
        if (e.kind() == EventKind.MAP && pool == 0) {
          pool = e.address();
        } else if (pool != 0 && KINDS.contains(e.kind())) {
          boolean inPool = e.address() >= pool && e.address() < pool + 4096;
          all.add(
              "%s %d %s %x at %s by %s"
                  .formatted(
                      EventKind.name(e.kind()),
                      e.info(),
                      inPool ? "pool+" + (e.address() - pool) : Long.toHexString(e.address()),
                      isStackPointer(e, pool) ? 0 : e.value(),
                      trace.site(e.site()),
                      callers(trace, e.stack())));
        }
      }
    }
    return all;
  }

  /** It differs from run to run. */
  private static boolean isStackPointer(Event e, long pool) {
    return e.kind() == EventKind.STORE && e.address() == pool + 48;
  }

  private static List<String> callers(TraceFile trace, int stack) {
    List<String> sites = new ArrayList<>();
    for (int s = stack; s != 0; s = trace.parent(s)) {
      sites.add(trace.site(trace.topSite(s)).toString());
    }
    return sites;
  }
}
