package dev.perdure.trace.file;

import dev.perdure.model.code.SiteTable;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Makes chunks of events and of the definitions that they need. When the file reaches its limit, or
 * cannot grow, later events are left out.
 */
final class ChunkWriter implements Closeable {
  /** Events that take no more than this each are not worth the time of compressing them. */
  private static final int DENSE_BYTES = 8;

  private final ChunkOutput output;
  private final Definitions definitions;
  private final long limit;
  private final EventEncoder encoder = new EventEncoder();
  private final Event event = new Event();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final Int2IntOpenHashMap writtenModules = new Int2IntOpenHashMap();
  private final IntOpenHashSet knownStacks = new IntOpenHashSet();
  private final IntArrayList newStacks = new IntArrayList();
  private final IntOpenHashSet knownSites = new IntOpenHashSet();
  private final IntArrayList newSites = new IntArrayList();
  private List<PmFile> writtenFiles = List.of();
  private List<TargetProcess> writtenProcesses = List.of();
  private long written;
  private String stopped = "";
  private int stopReason = TraceFormat.STOPPED_NOT;

  ChunkWriter(ChunkOutput output, Definitions definitions, long limit) {
    this.output = output;
    this.definitions = definitions;
    this.limit = limit;
  }

  void metadata(String key, String value) {
    synchronized (metadata) {
      metadata.put(key, value);
    }
  }

  void append(EventBatch batch) {
    for (int i = 0; i < batch.size() && stopReason == TraceFormat.STOPPED_NOT; i++) {
      i = encoder.addPlain(batch, i);
      if (i < batch.size()) {
        appendOther(batch, i);
      }
      if (encoder.isFull()) {
        writeEvents();
      }
    }
  }

  private void appendOther(EventBatch batch, int i) {
    batch.get(i, event);
    if (encoder.add(event)) {
      defineSite(event.site());
      defineStack(event.stack());
    }
  }

  private void defineStack(int stack) {
    for (int s = stack; s != 0 && knownStacks.add(s); s = definitions.parent(s)) {
      newStacks.add(s);
      defineSite(definitions.topSite(s));
    }
  }

  private void defineSite(int site) {
    if (site != 0 && knownSites.add(site)) {
      newSites.add(site);
    }
  }

  private void writeEvents() {
    if (encoder.isEmpty() || stopReason != TraceFormat.STOPPED_NOT) {
      return;
    }
    int count = encoder.count();
    ByteColumn content = encoder.content();
    boolean dense = content.length() <= DENSE_BYTES * count;
    try {
      writeDefinitions();
      var chunk =
          dense
              ? output.store(TraceFormat.EVENTS, content.array(), content.length())
              : output.pack(TraceFormat.EVENTS, content.array(), content.length());
      if (output.length() + chunk.remaining() > limit) {
        stop(TraceFormat.STOPPED_BY_LIMIT, "the limit of " + limit + " bytes was reached");
      } else {
        output.append(chunk);
      }
    } catch (IOException e) {
      stop(TraceFormat.STOPPED_BY_FAILURE, String.valueOf(e.getMessage()));
    }
    encoder.clear();
    if (stopReason == TraceFormat.STOPPED_NOT) {
      written += count;
    }
  }

  private void stop(int reason, String message) {
    stopReason = reason;
    stopped = message;
  }

  private void writeDefinitions() throws IOException {
    Map<String, String> said;
    synchronized (metadata) {
      said = new LinkedHashMap<>(metadata);
      metadata.clear();
    }
    if (!said.isEmpty()) {
      write(TraceFormat.METADATA, DefinitionChunks.metadata(said));
    }
    for (ModuleSites module : definitions.modules()) {
      if (writtenModules.put(module.base(), module.count()) != module.count()) {
        write(TraceFormat.MODULE, DefinitionChunks.module(module));
      }
      writeSites(module);
    }
    newSites.clear();
    if (!newStacks.isEmpty()) {
      write(TraceFormat.STACKS, DefinitionChunks.stacks(newStacks, definitions));
      newStacks.clear();
    }
    List<PmFile> files = definitions.files();
    if (!files.equals(writtenFiles)) {
      write(TraceFormat.FILES, DefinitionChunks.files(files));
      writtenFiles = files;
    }
    List<TargetProcess> processes = definitions.processes();
    if (!processes.equals(writtenProcesses)) {
      write(TraceFormat.PROCESSES, DefinitionChunks.processes(processes));
      writtenProcesses = processes;
    }
  }

  /** Of a module whose sites are found one by one, those that have come up. */
  private void writeSites(ModuleSites module) throws IOException {
    if (module.sites().filter(SiteTable::lazy).isEmpty()) {
      return;
    }
    int[] numbers =
        newSites
            .intStream()
            .filter(s -> s - module.base() >= 0 && s - module.base() < module.count())
            .toArray();
    if (numbers.length > 0) {
      int[] local = IntStream.of(numbers).map(s -> s - module.base()).toArray();
      write(TraceFormat.SITES, DefinitionChunks.sites(numbers, module.sites().get().of(local)));
    }
  }

  private void write(int type, ByteColumn content) throws IOException {
    output.append(output.pack(type, content.array(), content.length()));
  }

  /** Events that are in the file. */
  long written() {
    return written;
  }

  /** Bytes of the file. */
  long bytes() {
    return output.length();
  }

  /** Why events are left out, in words; empty if none are. */
  Optional<String> stopped() {
    return stopped.isEmpty() ? Optional.empty() : Optional.of(stopped);
  }

  /**
   * Writes what is left and the mark that makes the file complete.
   *
   * @param appended how many events there were, written or not
   */
  void finish(long appended) {
    writeEvents();
    ByteColumn end = new ByteColumn();
    end.putVarint(written);
    end.putVarint(appended - written);
    end.put(stopReason);
    try {
      writeDefinitions();
      write(TraceFormat.END, end);
    } catch (IOException e) {
      stop(TraceFormat.STOPPED_BY_FAILURE, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
