package dev.perdure.trace.live;

import dev.perdure.model.code.Site;
import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleIndex;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.format.Layout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The tables of a recording. A module's site table is read when the module is first seen. An entry
 * that a process has taken and not finished is passed over until it is.
 */
public final class LiveSymbols implements Definitions {
  private final Recording recording;
  private final ByteBuffer tables;
  private final BiFunction<String, String, Optional<SiteTable>> siteTables;
  private final ModuleIndex index = new ModuleIndex();
  private final BitSet read = new BitSet();
  private final int stacksOffset;
  private final int stackSlots;

  /**
   * @param siteTables gives the site table of the module file with that path, if it has the given
   *     id (32 hexadecimal digits)
   */
  public LiveSymbols(
      Recording recording, BiFunction<String, String, Optional<SiteTable>> siteTables) {
    this.recording = recording;
    this.tables = recording.control();
    this.siteTables = siteTables;
    this.stacksOffset = Math.toIntExact(tables.getLong(Layout.Header.STACKS_OFFSET));
    this.stackSlots = recording.stackSlots();
  }

  @Override
  public synchronized Site site(int site) {
    if (site != 0 && index.moduleOf(site).isEmpty()) {
      readModules();
    }
    return index.site(site);
  }

  @Override
  public int topSite(int stack) {
    return (int) key(stack);
  }

  @Override
  public int parent(int stack) {
    return (int) (key(stack) >>> 32);
  }

  private long key(int stack) {
    return stack <= 0 || stack > stackSlots
        ? 0
        : (long) Recording.LONG.getAcquire(tables, stacksOffset + (stack - 1) * Layout.Stack.SIZE);
  }

  @Override
  public synchronized List<ModuleSites> modules() {
    readModules();
    return index.modules();
  }

  private void readModules() {
    int count = Math.min(recording.counter(Layout.Counters.MODULES), Layout.MAX_MODULES);
    for (int i = 0; i < count; i++) {
      int at = entry(Layout.Header.MODULES_OFFSET, i, Layout.Module.SIZE);
      if (!read.get(i) && ready(at + Layout.Module.READY)) {
        read.set(i);
        index.add(module(at));
      }
    }
  }

  private ModuleSites module(int at) {
    byte[] idBytes = new byte[Layout.Module.PATH - Layout.Module.ID];
    tables.get(at + Layout.Module.ID, idBytes);
    String id = HexFormat.of().formatHex(idBytes);
    String path = string(at + Layout.Module.PATH, at + Layout.Module.SIZE);
    // Processes that run the same program share one table.
    Optional<SiteTable> known =
        index.modules().stream()
            .filter(m -> m.id().equals(id))
            .findFirst()
            .flatMap(ModuleSites::sites);
    return new ModuleSites(
        tables.getInt(at + Layout.Module.BASE),
        tables.getInt(at + Layout.Module.COUNT),
        tables.getInt(at + Layout.Module.PID),
        id,
        path,
        known.or(() -> siteTables.apply(path, id)));
  }

  @Override
  public List<PmFile> files() {
    int count = Math.min(recording.counter(Layout.Counters.FILES), Layout.MAX_FILES);
    List<PmFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = entry(Layout.Header.FILES_OFFSET, i, Layout.File.SIZE);
      files.add(
          new PmFile(
              tables.getLong(at + Layout.File.DEV),
              tables.getLong(at + Layout.File.INO),
              tables.getLong(at + Layout.File.ADDR),
              tables.getLong(at + Layout.File.LENGTH),
              string(at + Layout.File.PATH, at + Layout.File.SIZE)));
    }
    return files;
  }

  @Override
  public List<TargetProcess> processes() {
    int count = Math.min(recording.counter(Layout.Counters.PROCESSES), Layout.MAX_PROCESSES);
    List<TargetProcess> processes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = entry(Layout.Header.PROCESSES_OFFSET, i, Layout.Process.SIZE);
      processes.add(
          ready(at + Layout.Process.READY)
              ? new TargetProcess(
                  tables.getInt(at + Layout.Process.PID),
                  tables.getInt(at + Layout.Process.PARENT),
                  (int) Recording.INT.getAcquire(tables, at + Layout.Process.FLAGS),
                  string(at + Layout.Process.EXE, at + Layout.Process.SIZE))
              : TargetProcess.NONE);
    }
    return processes;
  }

  private int entry(int tableField, int index, int size) {
    return Math.toIntExact(tables.getLong(tableField)) + index * size;
  }

  private boolean ready(int at) {
    return (int) Recording.INT.getAcquire(tables, at) != 0;
  }

  private String string(int from, int end) {
    int to = from;
    while (to < end && tables.get(to) != 0) {
      to++;
    }
    byte[] bytes = new byte[to - from];
    tables.get(from, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
