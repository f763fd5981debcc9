package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
  private static final Path SOURCE =
      Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs", "uncommon.c");

  @TempDir private Path folder;

  @Test
  void shouldSeeBitsTablesGathersAndMaskedMovesWhereTheyAre() throws Exception {
    PerdureProcess perdure = new PerdureProcess(folder);
    perdure.compile("gcc", Files.readString(SOURCE), "uncommon", "-O1");

    perdure.run("run", "--quiet", "--out", "run", "--pm", "pool", "--", "./uncommon", "pool");

    assertThat(accesses())
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

  private List<String> accesses() throws Exception {
    List<String> all = new ArrayList<>();
    try (TraceFile trace = TraceFile.open(folder.resolve("run/trace"))) {
      long pool = trace.files().get(0).address();
      Event event = new Event();
      while (trace.next(event)) {
        String kind =
            switch (event.kind()) {
              case EventKind.LOAD -> "load";
              case EventKind.STORE -> "store";
              case EventKind.STORE_NT -> "stream";
              case EventKind.RMW -> "update";
              default -> "";
            };
        if (!kind.isEmpty() && event.address() >= pool && event.address() < pool + 8192) {
          all.add(kind + " " + (event.address() - pool) + " " + event.size());
        }
      }
    }
    return all;
  }
}
