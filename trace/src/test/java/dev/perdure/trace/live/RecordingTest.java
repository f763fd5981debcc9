package dev.perdure.trace.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
  @TempDir Path folder;

  private Recording create() throws IOException {
    return Recording.create(
        folder.resolve("recording"),
        new RecordingSettings(1024, 1024, Layout.CLOCK_TSC, 42, List.of("/mnt/pm", "/pool")));
  }

  @Test
  void shouldLayOutWhatTheRuntimeExpects() throws Exception {
    try (Recording r = create()) {
      ByteBuffer b = r.control();
      assertThat(b.getLong(Layout.Header.MAGIC)).isEqualTo(Layout.MAGIC);
      assertThat(b.getInt(Layout.Header.READER_PID)).isEqualTo((int) ProcessHandle.current().pid());
      assertThat(b.getLong(Layout.Header.SEED)).isEqualTo(42);
      byte[] paths = new byte[15];
      b.get((int) b.getLong(Layout.Header.PATHS_OFFSET), paths);
      assertThat(new String(paths, StandardCharsets.UTF_8)).isEqualTo("/mnt/pm\0/pool\0\0");
      assertThat(b.getInt(Layout.PAGE + Layout.Counters.NEXT_THREAD)).isEqualTo(1);
      assertThat(b.getLong(Layout.PAGE + Layout.Counters.WINDOW_NEXT))
          .isEqualTo(Layout.WINDOW_BASE);
      long data = b.getLong(Layout.Header.DATA_OFFSET);
      assertThat(Files.size(r.path()))
          .isEqualTo(data + (long) Layout.MAX_RINGS * 1024 * Layout.Slot.SIZE);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(r.path())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void shouldDiscardLargeRingsWhileTheyGetTheirMemory() throws Exception {
    for (int i = 0; i < 10; i++) {
      Recording r =
          Recording.create(
              folder.resolve("recording"), RecordingSettings.defaults(Layout.CLOCK_TSC));
      // So that the thread that gives them memory has come a little further each time.
      for (int n = 0; n < i * 10_000; n++) {
        Thread.onSpinWait();
      }
      r.discard();
      assertThat(r.path()).doesNotExist();
    }
  }

  @Test
  void shouldOpenWhatAnotherProcessCreated() throws Exception {
    create().close();
    try (Recording r = Recording.open(folder.resolve("recording"))) {
      assertThat(r.seed()).isEqualTo(42);
      assertThat(r.rings()).isZero();
    }
  }

  @Test
  void shouldRefuseForeignFile() throws Exception {
    Path foreign = Files.write(folder.resolve("foreign"), new byte[10_000]);
    assertThatThrownBy(() -> Recording.open(foreign)).hasMessageContaining("not a recording");
  }

  @Test
  void shouldReadTablesAndPassOverUnfinishedEntries() throws Exception {
    Site put = new Site(List.of(new Frame("put", "table.c", 785)));
    Site main = new Site(List.of(new Frame("main", "table.c", 12)));
    try (Recording r = create()) {
      ByteBuffer b = r.control();
      LiveSymbols symbols =
          new LiveSymbols(
              r,
              (path, id) ->
                  path.equals("/bin/prog")
                      ? Optional.of(new SiteTable(List.of(put, main)))
                      : Optional.empty());
      int modules = (int) b.getLong(Layout.Header.MODULES_OFFSET);
      module(b, modules, 1, 5, "/unfinished", false);
      module(b, modules + Layout.Module.SIZE, 6, 2, "/bin/prog", true);
      b.putInt(Layout.PAGE + Layout.Counters.MODULES, 2);
      int stacks = (int) b.getLong(Layout.Header.STACKS_OFFSET);
      b.putLong(stacks + 8 * 8, 7);
      b.putLong(stacks + 8 * 4, 9L << 32 | 6);
      int files = (int) b.getLong(Layout.Header.FILES_OFFSET);
      b.putLong(files + Layout.File.ADDR, Layout.WINDOW_BASE);
      b.putLong(files + Layout.File.LENGTH, 4096);
      b.put(files + Layout.File.PATH, "/mnt/pm/pool".getBytes(StandardCharsets.UTF_8));
      b.putInt(Layout.PAGE + Layout.Counters.FILES, 1);
      int processes = (int) b.getLong(Layout.Header.PROCESSES_OFFSET);
      b.putInt(processes + Layout.Process.SIZE + Layout.Process.PID, 17);
      b.putInt(processes + Layout.Process.SIZE + Layout.Process.FLAGS, Layout.PROCESS_ENDED);
      b.putInt(processes + Layout.Process.SIZE + Layout.Process.READY, 1);
      b.putInt(Layout.PAGE + Layout.Counters.PROCESSES, 2);

      assertThat(symbols.site(6)).isEqualTo(put);
      assertThat(symbols.site(7)).isEqualTo(main);
      assertThat(symbols.site(8)).isEqualTo(Site.UNKNOWN);
      assertThat(symbols.site(2)).isEqualTo(Site.UNKNOWN);
      assertThat(symbols.callStack(5).frames())
          .extracting(Frame::function)
          .containsExactly("put", "main");
      assertThat(symbols.files())
          .containsExactly(new PmFile(0, 0, Layout.WINDOW_BASE, 4096, "/mnt/pm/pool"));
      assertThat(symbols.processes())
          .containsExactly(TargetProcess.NONE, new TargetProcess(17, 0, 8, ""));
      assertThat(symbols.processes().get(1).ended()).isTrue();
    }
  }

  private static void module(
      ByteBuffer b, int at, int base, int count, String path, boolean ready) {
    b.putInt(at + Layout.Module.BASE, base);
    b.putInt(at + Layout.Module.COUNT, count);
    b.put(at + Layout.Module.PATH, path.getBytes(StandardCharsets.UTF_8));
    b.putInt(at + Layout.Module.READY, ready ? 1 : 0);
  }
}
