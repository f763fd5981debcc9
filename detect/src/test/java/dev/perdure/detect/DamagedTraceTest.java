package dev.perdure.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.detect.regions.RegionExtent;
import dev.perdure.detect.regions.RegionStart;
import dev.perdure.detect.trace.OrderlyTrace;
import dev.perdure.detect.trace.RandomTrace;
import dev.perdure.detect.trace.Trace;
import dev.perdure.model.code.Site;
import dev.perdure.model.memory.PersistenceDomain;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.BoundedEvents;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBounds;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.EventSource;
import dev.perdure.trace.event.Symbols;
import dev.perdure.trace.file.TraceFile;
import dev.perdure.trace.file.TraceWriter;
import dev.perdure.trace.format.Payload;
import dev.perdure.trace.format.TraceFormatException;
import dev.perdure.trace.text.EventText;
import dev.perdure.trace.text.TextTrace;
import dev.perdure.trace.text.TextWriter;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces that somebody has made or damaged, checksums included, give what makes sense of them or a
 * clear message: no exception, no hang, no memory without end.
 */
@Timeout(120)
class DamagedTraceTest {
  private static final int FILE_HEADER = 16;
  private static final int CHUNK_HEADER = 16;
  private static final long[] STRANGE = {
    -1, 0, 1, 31, 4096, 4097, Integer.MAX_VALUE, 1L << 31, 1L << 47, Long.MAX_VALUE, Long.MIN_VALUE
  };

  @TempDir private Path folder;
  private final Random random = new Random(17);

  private static List<Event> events(long seed) {
    Trace trace = seed % 2 == 0 ? OrderlyTrace.of(seed, 150) : RandomTrace.of(seed, 150);
    trace.on(1).map(Trace.PM, 4096, 0, 0).map(0x7f0000000000L, 4096, 0, 0);
    trace.load(0x7f0000000010L, 8, 1).event(EventKind.TX_BEGIN, 0, 0, 0);
    trace.event(EventKind.TX_ADD, 0, Trace.PM, 64).event(EventKind.TX_END, 0, 0, 0);
    trace.event(EventKind.SYNC_VAR, 0, Trace.PM + 8, 8, new byte[8]);
    trace.event(EventKind.LABEL, 0, Trace.PM, 1).load(Trace.PM, 8, 1);
    trace
        .event(EventKind.LABEL_UNION, 0, 2, 1)
        .event(EventKind.EFFECT, 0, Trace.PM, 2, new byte[8]);
    trace.event(EventKind.PROCESS_BEGIN, 0, 0, 1).event(EventKind.PROCESS_FORK, 0, 0, 90);
    trace.announce(true, Trace.PM, 8).unmap(0x7f0000000000L, 4096).mark(EventKind.ROI_BEGIN);
    trace.event(EventKind.THREAD_DETACH, 0, 0, 2).mark(EventKind.ROI_END);
    List<Event> all = new ArrayList<>(trace.events());
    // What comes at the end is damaged as often as what comes at first.
    all.addAll(trace.events().subList(0, 60));
    return all;
  }

  /** Whatever it finds. */
  private static void analyse(EventSource trace, Symbols symbols, int i) throws IOException {
    DetectionOptions options =
        new DetectionOptions(
            EnumSet.allOf(Detector.class),
            PersistenceDomain.ADR,
            i % 3 != 0,
            i % 5 == 0,
            RegionExtent.PIFR,
            i % 4 == 0 ? RegionStart.STATIC : RegionStart.LOOKBACK);
    if (i % 2 == 0) {
      options =
          new DetectionOptions(
              EnumSet.complementOf(EnumSet.of(Detector.TAINT)), PersistenceDomain.ADR, true, false);
    }
    Detection detection = new Detection(options);
    trace.forEach(new BoundedEvents(detection));
    assertThat(detection.finish(symbols, i % 2 == 0, t -> t)).isNotNull();
    assertThat(detection.statistics().events()).isNotNegative();
  }

  @Test
  void shouldAnalyseWhateverBytesOfASavedTraceAreDamaged() throws Exception {
    Path file = folder.resolve("trace");
    try (TraceWriter writer = TraceWriter.create(file, new Places(), Long.MAX_VALUE)) {
      events(2).forEach(writer::append);
      events(3).forEach(writer::append);
      writer.finish();
    }
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < 250; i++) {
      byte[] damaged = i % 20 == 0 ? cut(whole) : whole.clone();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      seal(damaged);
      Files.write(file, damaged);
      try (TraceFile trace = TraceFile.open(file)) {
        analyse(trace, trace, i);
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageStartingWith(file + ": ");
      }
    }
  }

  private byte[] cut(byte[] whole) {
    return Arrays.copyOf(whole, FILE_HEADER + random.nextInt(whole.length - FILE_HEADER));
  }

  /** Makes the checksums fit, as far as lengths lead from chunk to chunk. */
  private static void seal(byte[] file) {
    ByteBuffer b = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = FILE_HEADER; at + CHUNK_HEADER <= file.length; ) {
      int stored = b.getInt(at + 8);
      if (stored < 0 || stored > file.length - at - CHUNK_HEADER) {
        return;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(file, at, 12);
      checksum.update(file, at + CHUNK_HEADER, stored);
      b.putInt(at + 12, (int) checksum.getValue());
      at += CHUNK_HEADER + stored;
    }
  }

  @Test
  void shouldAnalyseWhateverNumbersEventsHave() throws Exception {
    for (int i = 0; i < 300; i++) {
      List<Event> events = events(i);
      List<String> changed = new ArrayList<>();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        int at = random.nextInt(events.size());
        events.set(at, strange(events.get(at)));
        changed.add(EventText.of(events.get(at)));
      }
      try {
        analyse(source(events), new Places(), i);
      } catch (RuntimeException e) {
        throw new AssertionError("trace " + i + " with " + changed, e);
      }
    }
  }

  private Event strange(Event e) {
    long number = STRANGE[random.nextInt(STRANGE.length)];
    int field = random.nextInt(8);
    int kind = field == 0 ? random.nextInt(128) : e.kind();
    Event result =
        new Event()
            .set(
                kind,
                field == 1 ? random.nextInt(256) : e.info(),
                field == 2 ? (int) number : e.thread(),
                field == 3 ? number : e.time(),
                field == 4 ? e.address() + number : e.address(),
                field == 5 ? (int) number : e.site(),
                field == 5 ? (int) number : e.stack(),
                field >= 6 ? number : e.value());
    int length = Payload.length(kind, result.value());
    long value = result.value();
    boolean takesLong = value > 1 << 24 && value <= EventBounds.LONGEST_ACCESS;
    if (length < 0 || takesLong && kind == EventKind.LOAD_BLOCK) {
      return e;
    }
    byte[] payload = result.resizePayload(length);
    for (int i = 0; i < length; i++) {
      payload[i] = (byte) (random.nextBoolean() ? 0 : random.nextInt());
    }
    return result;
  }

  private static EventSource source(List<Event> events) {
    var rest = events.iterator();
    return e -> {
      if (!rest.hasNext()) {
        return false;
      }
      Event next = rest.next();
      e.set(
          next.kind(),
          next.info(),
          next.thread(),
          next.time(),
          next.address(),
          next.site(),
          next.stack(),
          next.value());
      int length = next.payloadLength();
      System.arraycopy(next.payload(), 0, e.resizePayload(length), 0, length);
      return true;
    };
  }

  @Test
  void shouldAnalyseOrRefuseWhateverATextSays() throws Exception {
    StringBuilder text = new StringBuilder();
    TextWriter writer = new TextWriter(text, new Places());
    for (Event e : events(5)) {
      writer.append(e);
    }
    String characters = "0123456789abcdefx=- T\n\"#@<";
    for (int i = 0; i < 150; i++) {
      StringBuilder damaged = new StringBuilder(text);
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        char c = characters.charAt(random.nextInt(characters.length()));
        int at = random.nextInt(damaged.length());
        switch (random.nextInt(3)) {
          case 0 -> damaged.setCharAt(at, c);
          case 1 -> damaged.insert(at, random.nextInt(4) == 0 ? "ffffffff" : "" + c);
          default -> damaged.delete(at, Math.min(damaged.length(), at + 1 + random.nextInt(3)));
        }
      }
      TextTrace trace = new TextTrace(new StringReader(damaged.toString()), "t.txt");
      try {
        analyse(trace, trace, i);
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageStartingWith("t.txt:").hasMessageContaining("; ");
      }
    }
  }

  /** Places of a few sites; stacks that go round in a circle. */
  private static final class Places implements Definitions {
    private final Symbols sites = new Trace().symbols();

    @Override
    public Site site(int site) {
      return sites.site(site);
    }

    @Override
    public int topSite(int stack) {
      return stack;
    }

    @Override
    public int parent(int stack) {
      return stack == 0 ? 0 : stack % 3 + 1;
    }

    @Override
    public List<ModuleSites> modules() {
      return List.of();
    }

    @Override
    public List<PmFile> files() {
      return List.of(new PmFile(1, 2, Trace.PM, 4096, "/pm/pool"));
    }

    @Override
    public List<TargetProcess> processes() {
      return List.of(new TargetProcess(7, 1, 0, "/bin/p"));
    }
  }
}
