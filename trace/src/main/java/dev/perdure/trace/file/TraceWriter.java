package dev.perdure.trace.file;

import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.Event;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Saves a trace. Definitions are asked for when events that may use them are written. When the file
 * reaches its limit, or cannot grow, later events are counted and left out: analysis goes on
 * without them, and the file says so.
 */
public final class TraceWriter implements Closeable {
  private final ChunkOutput output;
  private final Definitions definitions;
  private final long limit;
  private final EventEncoder encoder = new EventEncoder();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final Int2IntOpenHashMap writtenModules = new Int2IntOpenHashMap();
  private final IntOpenHashSet knownStacks = new IntOpenHashSet();
  private final IntArrayList newStacks = new IntArrayList();
  private List<PmFile> writtenFiles = List.of();
  private List<TargetProcess> writtenProcesses = List.of();
  private long written;
  private long dropped;
  private String stopped = "";
  private int stopReason = TraceFormat.STOPPED_NOT;

  private TraceWriter(ChunkOutput output, Definitions definitions, long limit) {
    this.output = output;
    this.definitions = definitions;
    this.limit = limit;
  }

  /**
   * Creates the file, readable by its owner only.
   *
   * @param limit the most bytes that chunks of events may bring the file to
   */
  public static TraceWriter create(Path path, Definitions definitions, long limit)
      throws IOException {
    return new TraceWriter(new ChunkOutput(path), definitions, limit);
  }

  /** Says something of the whole trace; the last value of a key counts. */
  public void metadata(String key, String value) {
    metadata.put(key, value);
  }

  /** Adds the next event of the trace. */
  public void append(Event event) {
    if (stopReason != TraceFormat.STOPPED_NOT) {
      dropped++;
      return;
    }
    if (encoder.add(event)) {
      defineStack(event.stack());
    }
    if (encoder.isFull()) {
      writeEvents();
    }
  }

  private void defineStack(int stack) {
    for (int s = stack; s != 0 && knownStacks.add(s); s = definitions.parent(s)) {
      newStacks.add(s);
    }
  }

  private void writeEvents() {
    if (encoder.isEmpty() || stopReason != TraceFormat.STOPPED_NOT) {
      return;
    }
    int count = encoder.count();
    byte[] content = encoder.drain();
    try {
      writeDefinitions();
      var chunk = output.pack(TraceFormat.EVENTS, content);
      if (output.length() + chunk.remaining() > limit) {
        stop(TraceFormat.STOPPED_BY_LIMIT, "the limit of " + limit + " bytes was reached");
      } else {
        output.append(chunk);
      }
    } catch (IOException e) {
      stop(TraceFormat.STOPPED_BY_FAILURE, String.valueOf(e.getMessage()));
    }
    if (stopReason == TraceFormat.STOPPED_NOT) {
      written += count;
    } else {
      dropped += count;
    }
  }

  private void stop(int reason, String message) {
    stopReason = reason;
    stopped = message;
  }

  private void writeDefinitions() throws IOException {
    if (!metadata.isEmpty()) {
      write(TraceFormat.METADATA, DefinitionChunks.metadata(metadata));
      metadata.clear();
    }
    for (ModuleSites module : definitions.modules()) {
      if (writtenModules.put(module.base(), module.count()) != module.count()) {
        write(TraceFormat.MODULE, DefinitionChunks.module(module));
      }
    }
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

  private void write(int type, ByteColumn content) throws IOException {
    byte[] bytes = new byte[content.length()];
    content.copyTo(bytes, 0);
    output.append(output.pack(type, bytes));
  }

  /** Events that are in the file, once it is finished. */
  public long written() {
    return written;
  }

  /** Events that were left out. */
  public long dropped() {
    return dropped;
  }

  /** Bytes of the file. */
  public long bytes() {
    return output.length();
  }

  /** Why events were left out, in words; empty if none were. */
  public Optional<String> stopped() {
    return stopped.isEmpty() ? Optional.empty() : Optional.of(stopped);
  }

  /** Writes what is left and the mark that makes the file complete. */
  public void finish() {
    writeEvents();
    ByteColumn end = new ByteColumn();
    end.putVarint(written);
    end.putVarint(dropped);
    end.put(stopReason);
    try {
      writeDefinitions();
      write(TraceFormat.END, end);
    } catch (IOException e) {
      stop(TraceFormat.STOPPED_BY_FAILURE, String.valueOf(e.getMessage()));
    }
  }

  /** Closes the file; without {@link #finish} it stays an incomplete trace. */
  @Override
  public void close() throws IOException {
    output.close();
  }
}
