package dev.perdure.trace.file;

import dev.perdure.model.code.Site;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleIndex;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.BatchedSource;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.file.ByteReader.DamagedChunk;
import dev.perdure.trace.format.TraceFormatException;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A saved trace. All definitions are known when it is open; the events come once, in order. A file
 * that is cut short or damaged gives what lies before the damage, and {@link #complete} is false.
 */
public final class TraceFile extends BatchedSource implements Definitions, Closeable {
  private final ChunkInput input;
  private final List<ChunkInput.Header> eventChunks = new ArrayList<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final ModuleIndex modules = new ModuleIndex();
  private final Int2LongOpenHashMap stacks = new Int2LongOpenHashMap();
  private final EventDecoder decoder = new EventDecoder();
  private List<PmFile> files = List.of();
  private List<TargetProcess> processes = List.of();
  private int nextChunk;
  private boolean ended;
  private boolean damaged;
  private long dropped;

  private TraceFile(ChunkInput input) {
    this.input = input;
  }

  /**
   * Opens a trace.
   *
   * @throws TraceFormatException if the file is no trace of this version
   */
  public static TraceFile open(Path path) throws IOException {
    TraceFile trace = new TraceFile(new ChunkInput(path));
    try {
      trace.readDefinitions();
      return trace;
    } catch (IOException | RuntimeException e) {
      trace.close();
      throw e;
    }
  }

  private void readDefinitions() throws IOException {
    ByteReader reader = new ByteReader();
    try {
      long at = TraceFormat.FILE_HEADER;
      while (!ended) {
        ChunkInput.Header header = input.header(at);
        if (header.type() == TraceFormat.EVENTS) {
          eventChunks.add(header);
        } else {
          reader.reset(
              input.content(header), ChunkInput.CONTENT, ChunkInput.CONTENT + header.length());
          define(header.type(), reader);
        }
        at = header.end();
      }
    } catch (DamagedChunk e) {
      damaged = true;
    }
  }

  private void define(int type, ByteReader in) throws DamagedChunk {
    switch (type) {
      case TraceFormat.METADATA -> metadata.putAll(DefinitionChunks.metadata(in));
      case TraceFormat.MODULE -> modules.add(DefinitionChunks.module(in));
      case TraceFormat.SITES -> DefinitionChunks.sites(in).forEach(modules::define);
      case TraceFormat.STACKS -> {
        for (int n = in.getCount(3); n > 0; n--) {
          stacks.put((int) in.getVarint(), in.getVarint() << 32 | in.getVarint() & 0xffffffffL);
        }
      }
      case TraceFormat.FILES -> files = DefinitionChunks.files(in);
      case TraceFormat.PROCESSES -> processes = DefinitionChunks.processes(in);
      case TraceFormat.END -> {
        in.getVarint();
        dropped = in.getVarint();
        ended = true;
      }
      default -> {
        // A later version's definitions do not concern this reader.
      }
    }
  }

  @Override
  protected boolean read(EventBatch batch) throws IOException {
    batch.clear();
    try {
      while (!decoder.hasNext()) {
        if (nextChunk == eventChunks.size()) {
          return false;
        }
        ChunkInput.Header header = eventChunks.get(nextChunk++);
        decoder.begin(input.content(header), ChunkInput.CONTENT, header.length());
      }
      decoder.next(batch);
    } catch (DamagedChunk e) {
      damaged = true;
      nextChunk = eventChunks.size();
      decoder.abandon();
    }
    return batch.size() > 0;
  }

  /**
   * Whether the file holds all that was recorded, as far as it was read: not cut short, not
   * damaged, no events left out when it was written.
   */
  public boolean complete() {
    return ended && !damaged && dropped == 0;
  }

  /** Events that were left out when the trace was written. */
  public long dropped() {
    return dropped;
  }

  /** What was said of the whole trace: the command line, the seed, and so on. */
  public Map<String, String> metadata() {
    return Map.copyOf(metadata);
  }

  @Override
  public Site site(int site) {
    return modules.site(site);
  }

  @Override
  public int topSite(int stack) {
    return (int) stacks.get(stack);
  }

  @Override
  public int parent(int stack) {
    return (int) (stacks.get(stack) >>> 32);
  }

  @Override
  public List<ModuleSites> modules() {
    return modules.modules();
  }

  @Override
  public List<PmFile> files() {
    return files;
  }

  @Override
  public List<TargetProcess> processes() {
    return processes;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
