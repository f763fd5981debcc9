package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.file.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instructions of plain programs whose addresses are not simply those of their operands. */
class UncommonInstructionsTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs");

  @TempDir private Path folder;

  @Test
  void shouldSeeBitsTablesGathersAndMaskedMovesWhereTheyAre() throws Exception {
    run("uncommon");

    assertThat(accesses("load", "store", "stream", "update"))
        .containsExactly(
            "load 4096 8",
            "load 448 8",
            "store 448 8",
            "update 1032 4",
            "store 8 8",
            "load 25 1",
            "load 2048 4",
            "load 2128 4",
            "load 2328 4",
            "store 3072 4",
            "store 3080 4",
            "store 3100 4",
            "load 3072 4",
            "load 3080 4",
            "load 3100 4",
            "stream 3584 1",
            "stream 3585 1",
            "load 3584 2",
            "load 8 1");
  }

  @Test
  void shouldSeeTheElementsThatMaskedStoresWrite() throws Exception {
    assumeProcessorHas("avx512_vbmi2");
    run("masks", "stores");

    assertThat(accesses("store"))
        .containsExactly(
            "store 0 4",
            "store 8 4",
            "store 60 4",
            "store 72 8",
            "store 120 8",
            "store 129 1",
            "store 191 1",
            "store 204 4",
            "store 256 1",
            "store 271 1",
            "store 272 1",
            "store 320 4",
            "store 324 4",
            "store 352 2",
            "store 388 4",
            "store 392 4",
            "store 640 8",
            "store 528 8",
            "store 768 8",
            "store 896 8");
  }

  @Test
  void shouldSeeTheElementsThatMaskedLoadsRead() throws Exception {
    assumeProcessorHas("avx512_vbmi2");
    run("masks", "loads");

    assertThat(accesses("load"))
        .containsExactly(
            "load 1024 2",
            "load 1086 2",
            "load 1104 4",
            "load 1116 4",
            "load 1152 4",
            "load 1156 4",
            "load 1168 4",
            "load 1220 4",
            "load 1280 8",
            "load 1288 8",
            "load 1344 1",
            "load 1351 1",
            "load 1408 64",
            "load 1472 4",
            "load 1616 4",
            "load 1584 4",
            "load 2000 4",
            "load 2048 8",
            "load 2056 8");
  }

  @Test
  void shouldSeeDirectStoresAndWhatTheyCopy() throws Exception {
    assumeProcessorHas("movdir64b");
    run("masks", "direct");

    assertThat(accesses("load", "stream"))
        .containsExactly(
            "stream 2560 64",
            "stream 2624 64",
            "load 2624 64",
            "stream 2688 64",
            "stream 2752 4",
            "load 2623 1",
            "load 2688 1",
            "load 2752 1");
  }

  private static void assumeProcessorHas(String feature) throws Exception {
    assumeTrue(
        Files.readString(Path.of("/proc/cpuinfo")).contains(" " + feature + " "),
        "this processor has no " + feature);
  }

  private void run(String program, String... words) throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("gcc", Files.readString(SOURCES.resolve(program + ".c")), program, "-O1");
    List<String> all = new ArrayList<>(List.of("run", "--quiet", "--out", "run", "--pm", "pool"));
    all.addAll(List.of("--", "./" + program, "pool"));
    all.addAll(List.of(words));
    perdure.run(all.toArray(String[]::new));
  }

  private List<String> accesses(String... kinds) throws Exception {
    List<String> all = new ArrayList<>();
    try (TraceFile trace = TraceFile.open(folder.resolve("run/trace"))) {
      long pool = trace.files().get(0).address();
      Event event = new Event();
      while (trace.next(event)) {
        String kind =
            switch (event.kind()) {
              case EventKind.LOAD, EventKind.LOAD_BLOCK -> "load";
              case EventKind.STORE, EventKind.STORE_BLOCK -> "store";
              case EventKind.STORE_NT, EventKind.STORE_NT_BLOCK -> "stream";
              case EventKind.RMW -> "update";
              default -> "";
            };
        if (List.of(kinds).contains(kind)
            && event.address() >= pool
            && event.address() < pool + 8192) {
          all.add(kind + " " + (event.address() - pool) + " " + length(event));
        }
      }
    }
    return all;
  }

  private static long length(Event event) {
    return switch (event.kind()) {
      case EventKind.LOAD_BLOCK, EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK -> event.value();
      default -> event.size();
    };
  }
}
