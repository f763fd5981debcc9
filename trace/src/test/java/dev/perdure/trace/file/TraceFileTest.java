package dev.perdure.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.trace.RandomEvents;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventBatch;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFileTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("trace");
  }

  private List<String> write(RandomEvents random, int count, long limit) throws IOException {
    List<String> written = new ArrayList<>();
    try (TraceWriter writer = TraceWriter.create(file(), random, limit)) {
      writer.metadata("seed", "7");
      for (int i = 0; i < count; i++) {
        Event e = random.next();
        writer.append(e);
        written.add(RandomEvents.describe(e));
      }
      writer.metadata("seconds", "1.5");
      writer.finish();
      assertThat(writer.written() + writer.dropped()).isEqualTo(count);
    }
    return written;
  }

  @Test
  void shouldWriteTheSameFromBatches() throws Exception {
    RandomEvents random = new RandomEvents(4);
    List<String> written = new ArrayList<>();
    try (TraceWriter writer = TraceWriter.create(file(), random, Long.MAX_VALUE)) {
      EventBatch batch = new EventBatch(700);
      for (int size = 1; size <= 140; size++) {
        batch.clear();
        for (int i = 0; i < 5 * size; i++) {
          Event e = random.next();
          written.add(RandomEvents.describe(e));
          batch.add(e);
        }
        writer.append(batch);
      }
      writer.finish();
      assertThat(writer.written()).isEqualTo(written.size());
    }

    try (TraceFile trace = TraceFile.open(file())) {
      assertThat(events(trace)).isEqualTo(written);
    }
  }

  private static byte[] drain(EventEncoder encoder) {
    return Arrays.copyOf(encoder.content().array(), encoder.content().length());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldEncodeRowsOfPlainEventsAsOneByOne(long seed) {
    Random random = new Random(seed);
    RandomEvents events = new RandomEvents(seed);
    EventEncoder single = new EventEncoder();
    EventEncoder rows = new EventEncoder();
    EventBatch batch = new EventBatch(1000);
    Event event = new Event();
    int plain = 0;
    for (int n = 0; n < 20; n++) {
      batch.clear();
      while (!batch.isFull()) {
        Event next = random.nextInt(50) == 0 ? events.next() : repeated(random);
        batch.add(next);
        single.add(next);
      }
      for (int i = 0; i < batch.size(); i++) {
        int from = i;
        i = rows.addPlain(batch, i);
        plain += i - from;
        if (i < batch.size()) {
          batch.get(i, event);
          rows.add(event);
        }
      }
    }
    assertThat(plain).isPositive();
    assertThat(drain(rows)).isEqualTo(drain(single));
  }

  /** An event of one of few shapes, with numbers of all lengths. */
  private static Event repeated(Random random) {
    int shape = random.nextInt(40);
    long base = random.nextBoolean() ? Layout.WINDOW_BASE : 0x7f0000001000L;
    long address = shape % 5 == 0 ? 0 : base + (random.nextLong() >>> 30 + random.nextInt(34));
    long value = random.nextInt(4) == 0 ? address + 8 : random.nextLong() >>> random.nextInt(64);
    int[] kinds = {EventKind.LOAD, EventKind.STORE, EventKind.FENCE, EventKind.ACQUIRE};
    Event event = new Event();
    event.set(
        kinds[shape & 3],
        8,
        random.nextInt(4) + (random.nextInt(20) == 0 ? Prediction.THREADS : 0),
        random.nextLong() >>> random.nextInt(64),
        address,
        1 + shape,
        shape / 3,
        value);
    return event;
  }

  private static List<String> events(TraceFile trace) throws IOException {
    List<String> events = new ArrayList<>();
    Event e = new Event();
    while (trace.next(e)) {
      events.add(RandomEvents.describe(e));
    }
    return events;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldReadBackWhatItWrites(long seed) throws Exception {
    RandomEvents random = new RandomEvents(seed);
    List<String> written = write(random, 60_000, Long.MAX_VALUE);

    try (TraceFile trace = TraceFile.open(file())) {
      assertThat(trace.complete()).isTrue();
      assertThat(events(trace)).isEqualTo(written);
      assertThat(trace.complete()).isTrue();
      assertThat(trace.metadata()).isEqualTo(Map.of("seed", "7", "seconds", "1.5"));
      assertThat(trace.modules()).isEqualTo(random.modules());
      assertThat(trace.files()).isEqualTo(random.files());
      assertThat(trace.processes()).isEqualTo(random.processes());
      for (int i = 0; i < 150; i++) {
        assertThat(trace.site(i)).isEqualTo(random.site(i));
        assertThat(trace.callStack(i)).isEqualTo(random.callStack(i));
      }
    }
  }

  @Test
  void shouldShrinkPayloadsThatRepeat() throws Exception {
    RandomEvents random = new RandomEvents(9);
    List<String> written = new ArrayList<>();
    Event event = new Event();
    try (TraceWriter writer = TraceWriter.create(file(), random, Long.MAX_VALUE)) {
      for (int i = 0; i < 1000; i++) {
        long address = Layout.WINDOW_BASE + i * 4096L;
        event.set(EventKind.STORE_BLOCK, 0, 1, i, address, 1, 0, 4096);
        Arrays.fill(event.resizePayload(4096), (byte) 7);
        writer.append(event);
        written.add(RandomEvents.describe(event));
      }
      writer.finish();
    }

    assertThat(Files.size(file())).isLessThan(100_000);
    try (TraceFile trace = TraceFile.open(file())) {
      assertThat(events(trace)).isEqualTo(written);
    }
  }

  @Test
  void shouldHoldTraceWithoutEvents() throws Exception {
    write(new RandomEvents(1), 0, Long.MAX_VALUE);

    try (TraceFile trace = TraceFile.open(file())) {
      assertThat(events(trace)).isEmpty();
      assertThat(trace.complete()).isTrue();
    }
  }

  @Test
  void shouldStopAtTheLimitAndSaySo() throws Exception {
    List<String> written = write(new RandomEvents(4), 200_000, 1_500_000);

    assertThat(Files.size(file())).isLessThan(1_600_000);
    try (TraceFile trace = TraceFile.open(file())) {
      List<String> read = events(trace);
      assertThat(read).isNotEmpty().isEqualTo(written.subList(0, read.size()));
      assertThat(trace.dropped()).isEqualTo(written.size() - read.size()).isPositive();
      assertThat(trace.complete()).isFalse();
    }
  }

  @Test
  void shouldStopAndSaySoWhenTheDiskIsFull() throws Exception {
    Path full = Path.of("/dev/full");
    RandomEvents random = new RandomEvents(1);

    assertThatThrownBy(() -> TraceWriter.create(full, random, Long.MAX_VALUE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left");
  }

  @Test
  void shouldGivePrefixOfTruncatedFile() throws Exception {
    List<String> written = write(new RandomEvents(5), 100_000, Long.MAX_VALUE);
    byte[] whole = Files.readAllBytes(file());
    Random random = new Random(5);
    int longest = 0;
    for (int i = 0; i < 60; i++) {
      int length = TraceFormat.FILE_HEADER + random.nextInt(whole.length - TraceFormat.FILE_HEADER);
      Files.write(file(), Arrays.copyOf(whole, length));
      try (TraceFile trace = TraceFile.open(file())) {
        List<String> read = events(trace);
        assertThat(read).isEqualTo(written.subList(0, read.size()));
        assertThat(trace.complete()).isFalse();
        longest = Math.max(longest, read.size());
      }
    }
    assertThat(longest).isPositive();
  }

  @Test
  void shouldGivePrefixOrClearMessageAtEveryLength() throws Exception {
    List<String> written = write(new RandomEvents(7), 40, Long.MAX_VALUE);
    byte[] whole = Files.readAllBytes(file());
    for (int length = 0; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      try (TraceFile trace = TraceFile.open(file())) {
        List<String> read = events(trace);
        assertThat(read).isEqualTo(written.subList(0, read.size()));
        assertThat(trace.complete()).as("%d bytes", length).isFalse();
      } catch (TraceFormatException e) {
        assertThat(length).isLessThan(TraceFormat.FILE_HEADER);
        assertThat(e).hasMessageContaining("not a Perdure trace");
      }
    }
  }

  @Test
  void shouldGivePrefixOrClearMessageWhateverBytesAreDamaged() throws Exception {
    List<String> written = write(new RandomEvents(6), 30_000, Long.MAX_VALUE);
    byte[] whole = Files.readAllBytes(file());
    Random random = new Random(6);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = whole.clone();
      int span = random.nextInt(3) == 0 ? 200 : damaged.length;
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        damaged[random.nextInt(span)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(file(), damaged);
      try (TraceFile trace = TraceFile.open(file())) {
        List<String> read = events(trace);
        assertThat(read).isEqualTo(written.subList(0, read.size()));
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageStartingWith(file() + ": ").hasMessageContaining("; ");
      }
    }
  }

  /** Whoever makes the checksums fit gets no further than the end of the trace either. */
  @Test
  void shouldSurviveNonsenseInsideChunks() throws Exception {
    Random random = new Random(8);
    RandomEvents events = new RandomEvents(8);
    EventEncoder encoder = new EventEncoder();
    for (int i = 0; i < 2000; i++) {
      encoder.add(events.next());
    }
    byte[] content = drain(encoder);
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = content.clone();
      for (int flips = 1 + random.nextInt(20); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try (ChunkOutput out = new ChunkOutput(file())) {
        out.append(out.pack(TraceFormat.EVENTS, damaged, damaged.length));
        byte[] part = Arrays.copyOfRange(damaged, 16, 400);
        out.append(out.pack(1 + random.nextInt(7), part, part.length));
      }
      try (TraceFile trace = TraceFile.open(file())) {
        events(trace);
        assertThat(trace.complete()).isFalse();
      }
    }
  }

  @Test
  void shouldRefuseForeignFiles() throws Exception {
    Files.writeString(file(), "#!/bin/sh\necho this is no trace at all\n");
    assertThatThrownBy(() -> TraceFile.open(file()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(file() + ": not a Perdure trace; give the file \"trace\" of a run directory");
    Files.write(file(), new byte[0]);
    assertThatThrownBy(() -> TraceFile.open(file())).hasMessageContaining("not a Perdure trace");
    write(new RandomEvents(1), 10, Long.MAX_VALUE);
    byte[] later = Files.readAllBytes(file());
    later[8] = 9;
    Files.write(file(), later);
    assertThatThrownBy(() -> TraceFile.open(file()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("format version 9");
    later[8] = 1;
    Files.write(file(), later);
    assertThatThrownBy(() -> TraceFile.open(file()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(
            file()
                + ": a trace of format version 1, this Perdure reads version 2;"
                + " analyze it with the version of Perdure that recorded it, or record it again");
  }
}
