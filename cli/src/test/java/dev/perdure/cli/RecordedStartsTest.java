package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.TraceFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program announces comes true: the access is made, and nothing is acquired before. */
class RecordedStartsTest {
  private record Region(boolean store, long address, long length) {}

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"llvm", "binary"})
  void shouldAnnounceAccessesThatAreMadeBeforeAnythingIsAcquired(String frontEnd) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    String program = perdure.build("region_shapes", frontEnd).toString();
    perdure.run("run", "--out", "run", "--starts", "static", "--pm", "pool", "--", program, "pool");
    Map<Integer, Set<Region>> announced = new HashMap<>();
    Set<Integer> sites = new HashSet<>();
    try (TraceFile trace = TraceFile.open(folder.resolve("run/trace"))) {
      Event e = new Event();
      while (trace.next(e)) {
        Set<Region> own = announced.computeIfAbsent(e.thread(), t -> new HashSet<>());
        String place = trace.site(e.site()).innermost() + " " + EventKind.name(e.kind());
        switch (e.kind()) {
          case EventKind.REGION_START -> {
            own.add(new Region(e.info() == EventInfo.REGION_STORE, e.address(), e.value()));
            sites.add(e.site());
          }
          case EventKind.LOAD -> own.remove(new Region(false, e.address(), e.size()));
          case EventKind.STORE -> own.remove(new Region(true, e.address(), e.size()));
          case EventKind.LOAD_BLOCK -> own.remove(new Region(false, e.address(), e.value()));
          case EventKind.STORE_BLOCK -> own.remove(new Region(true, e.address(), e.value()));
          case EventKind.RMW -> {
            own.remove(new Region(false, e.address(), e.size()));
            own.remove(new Region(true, e.address(), e.size()));
          }
          case EventKind.ACQUIRE, EventKind.THREAD_JOIN, EventKind.SEM_WAIT, EventKind.THREAD_END ->
              assertThat(own).as(place).isEmpty();
          default -> {}
        }
      }
      assertThat(trace.metadata()).containsEntry("complete", "true");
    }
    assertThat(announced.values()).allMatch(Set::isEmpty);
    assertThat(sites).hasSizeGreaterThan(5);
  }
}
