package dev.perdure.trace.live;

import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.format.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The file that the processes of a target and this one share. It is sparse: everything up to the
 * ring descriptors and the first few rings has its space from the start, the rest takes space as it
 * is used.
 */
public final class Recording implements Closeable {
  static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int FIRST_RINGS = 4;

  /** Of the large rings of a longer run, so many more get their memory while the target starts. */
  private static final int FURTHER_RINGS = 8;

  private static final int COUNTERS = Layout.PAGE;

  private final Path path;
  private final FileChannel channel;
  private final MappedByteBuffer control;
  private final int ringSlots;
  private final int ringsOffset;
  private final long dataOffset;
  private final Map<Integer, MappedByteBuffer> ringData = new HashMap<>();
  private RingMemory ringMemory;

  private Recording(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    ByteBuffer header = ByteBuffer.allocate(Layout.Header.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    channel.read(header, 0);
    if (header.getLong(Layout.Header.MAGIC) != Layout.MAGIC
        || header.getInt(Layout.Header.VERSION) != Layout.VERSION) {
      throw new IOException(path + " is not a recording of this version");
    }
    ringSlots = header.getInt(Layout.Header.RING_SLOTS);
    ringsOffset = Math.toIntExact(header.getLong(Layout.Header.RINGS_OFFSET));
    dataOffset = header.getLong(Layout.Header.DATA_OFFSET);
    control = map(0, dataOffset);
  }

  /** Creates the file, readable by its owner only. The caller is the reader of the rings. */
  public static Recording create(Path path, RecordingSettings settings) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      ByteBuffer head = head(settings);
      long data = head.getLong(Layout.Header.DATA_OFFSET);
      long ringBytes = (long) settings.ringSlots() * Layout.Slot.SIZE;
      allocate(channel, data + FIRST_RINGS * ringBytes);
      channel.write(ByteBuffer.allocate(1), data + Layout.MAX_RINGS * ringBytes - 1);
      writeFully(channel, head, 0);
      writeFully(channel, paths(settings), head.getLong(Layout.Header.PATHS_OFFSET));
      writeFully(channel, places(settings), head.getLong(Layout.Header.FILES_OFFSET));
      Recording recording = new Recording(path, channel);
      if (settings.ringSlots() >= RecordingSettings.DEFAULT_RING_SLOTS) {
        recording.ringMemory =
            RingMemory.provide(channel, data + FIRST_RINGS * ringBytes, ringBytes, FURTHER_RINGS);
      }
      return recording;
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /**
   * Makes it what it was when it was created, with other settings, which must ask for tables of the
   * same size. No process of the target may use it any more.
   */
  public void renew(RecordingSettings settings) throws IOException {
    ByteBuffer head = head(settings);
    if (settings.ringSlots() != ringSlots
        || head.getLong(Layout.Header.DATA_OFFSET) != dataOffset) {
      throw new IllegalArgumentException("a recording of another size");
    }
    for (int i = 0; i < rings(); i++) {
      clear(ringsOffset + i * Layout.Ring.SIZE, Layout.Ring.SIZE, control);
    }
    for (MappedByteBuffer data : ringData.values()) {
      clear(0, data.capacity(), data);
    }
    clearEntries(Layout.Header.FILES_OFFSET, Layout.Counters.FILES, Layout.File.SIZE);
    clearEntries(Layout.Header.MODULES_OFFSET, Layout.Counters.MODULES, Layout.Module.SIZE);
    clearEntries(Layout.Header.PROCESSES_OFFSET, Layout.Counters.PROCESSES, Layout.Process.SIZE);
    clear(tableAt(Layout.Header.STACKS_OFFSET), stackSlots() * Layout.Stack.SIZE, control);
    clear(tableAt(Layout.Header.SCHEDULE_OFFSET), Layout.Schedule.SIZE, control);
    control.put(0, head.array());
    control.put(tableAt(Layout.Header.PATHS_OFFSET), paths(settings).array());
    control.put(tableAt(Layout.Header.FILES_OFFSET), places(settings).array());
  }

  private int tableAt(int field) {
    return Math.toIntExact(control.getLong(field));
  }

  private void clearEntries(int field, int counter, int entry) {
    int table = tableAt(field);
    int most = (tableAfter(table) - table) / entry;
    clear(table, Math.min(counter(counter), most) * entry, control);
  }

  private int tableAfter(int table) {
    int next = Math.toIntExact(dataOffset);
    for (int field = Layout.Header.SCHEDULE_OFFSET;
        field <= Layout.Header.DATA_OFFSET;
        field += Long.BYTES) {
      int other = tableAt(field);
      next = other > table ? Math.min(next, other) : next;
    }
    return next;
  }

  private static void clear(int from, int length, ByteBuffer in) {
    byte[] zeros = new byte[length];
    in.put(from, zeros);
  }

  /** Opens a recording that another process has created. */
  public static Recording open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      return new Recording(path, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static ByteBuffer head(RecordingSettings s) {
    ByteBuffer b = ByteBuffer.allocate(2 * Layout.PAGE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(Layout.Header.MAGIC, Layout.MAGIC);
    b.putInt(Layout.Header.VERSION, Layout.VERSION);
    b.putInt(Layout.Header.CLOCK, s.clock());
    b.putInt(Layout.Header.READER_PID, (int) ProcessHandle.current().pid());
    b.putInt(Layout.Header.RING_SLOTS, s.ringSlots());
    b.putInt(Layout.Header.STACK_SLOTS, s.stackSlots());
    b.putInt(Layout.Header.FLAGS, s.flags());
    b.putLong(Layout.Header.SEED, s.seed());
    b.putLong(Layout.Header.SAMPLE, s.sample());
    long at = COUNTERS + Layout.PAGE;
    at = place(b, Layout.Header.SCHEDULE_OFFSET, at, Layout.Schedule.SIZE);
    at = place(b, Layout.Header.PATHS_OFFSET, at, Layout.PATHS_BYTES);
    at = place(b, Layout.Header.FILES_OFFSET, at, (long) Layout.MAX_FILES * Layout.File.SIZE);
    at = place(b, Layout.Header.MODULES_OFFSET, at, (long) Layout.MAX_MODULES * Layout.Module.SIZE);
    at =
        place(
            b,
            Layout.Header.PROCESSES_OFFSET,
            at,
            (long) Layout.MAX_PROCESSES * Layout.Process.SIZE);
    at = place(b, Layout.Header.STACKS_OFFSET, at, (long) s.stackSlots() * Layout.Stack.SIZE);
    at = place(b, Layout.Header.RINGS_OFFSET, at, (long) Layout.MAX_RINGS * Layout.Ring.SIZE);
    b.putLong(Layout.Header.DATA_OFFSET, at);
    b.putInt(COUNTERS + Layout.Counters.NEXT_THREAD, 1);
    b.putInt(COUNTERS + Layout.Counters.NEXT_SITE, 1);
    b.putLong(COUNTERS + Layout.Counters.CLOCK, 1);
    b.putLong(COUNTERS + Layout.Counters.WINDOW_NEXT, windowNext(s));
    b.putInt(COUNTERS + Layout.Counters.FILES, s.places().size());
    return b;
  }

  private static long windowNext(RecordingSettings s) {
    long next = Layout.WINDOW_BASE;
    for (PmFile place : s.places()) {
      long end = place.address() + place.length();
      if (place.address() >= Layout.WINDOW_BASE && end <= Layout.WINDOW_END) {
        next = Math.max(next, end);
      }
    }
    return next;
  }

  private static ByteBuffer places(RecordingSettings s) {
    ByteBuffer b =
        ByteBuffer.allocate(s.places().size() * Layout.File.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    for (PmFile place : s.places()) {
      byte[] path = place.path().getBytes(StandardCharsets.UTF_8);
      b.putLong(at + Layout.File.ADDR, place.address());
      b.putLong(at + Layout.File.LENGTH, place.length());
      int room = Layout.File.SIZE - Layout.File.PATH - 1;
      b.put(at + Layout.File.PATH, path, 0, Math.min(path.length, room));
      at += Layout.File.SIZE;
    }
    return b;
  }

  private static long place(ByteBuffer b, int field, long at, long size) {
    b.putLong(field, at);
    return (at + size + Layout.PAGE - 1) & -Layout.PAGE;
  }

  private static ByteBuffer paths(RecordingSettings settings) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(Layout.PATHS_BYTES);
    for (String p : settings.pmPaths()) {
      put(b, p);
    }
    b.put((byte) 0);
    for (PrivateView view : settings.views()) {
      put(b, view.path());
      put(b, view.own());
    }
    return b.rewind();
  }

  private static void put(ByteBuffer b, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // One byte for the end of the string, two for the ends of the lists.
    if (bytes.length + 3 > b.remaining()) {
      throw new IOException("too many PM paths: together they take over 64 KiB");
    }
    b.put(bytes).put((byte) 0);
  }

  private static void allocate(FileChannel channel, long length) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
    for (long at = 0; at < length; at += zeros.capacity()) {
      writeFully(channel, zeros.limit((int) Math.min(zeros.capacity(), length - at)), at);
      zeros.clear();
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer b, long at) throws IOException {
    for (long p = at; b.hasRemaining(); ) {
      p += channel.write(b, p);
    }
  }

  private MappedByteBuffer map(long offset, long length) throws IOException {
    MappedByteBuffer b = channel.map(FileChannel.MapMode.READ_WRITE, offset, length);
    b.order(ByteOrder.LITTLE_ENDIAN);
    return b;
  }

  public Path path() {
    return path;
  }

  /** Slots of each ring. */
  public int ringSlots() {
    return ringSlots;
  }

  public int stackSlots() {
    return control.getInt(Layout.Header.STACK_SLOTS);
  }

  public int clock() {
    return control.getInt(Layout.Header.CLOCK);
  }

  public long seed() {
    return control.getLong(Layout.Header.SEED);
  }

  /** What the threads of the target are told to do at sites; one caller changes it. */
  public Schedule schedule() {
    return new Schedule(control, Math.toIntExact(control.getLong(Layout.Header.SCHEDULE_OFFSET)));
  }

  /** Rings ever handed out. */
  public int rings() {
    return Math.min(counter(Layout.Counters.RINGS), Layout.MAX_RINGS);
  }

  /** The reader's end of a ring. */
  public Ring ring(int index) throws IOException {
    long bytes = (long) ringSlots * Layout.Slot.SIZE;
    return new Ring(
        new RingSlots(
            control,
            ringsOffset + index * Layout.Ring.SIZE,
            ringData(index, dataOffset + index * bytes, bytes),
            ringSlots));
  }

  private MappedByteBuffer ringData(int index, long offset, long bytes) throws IOException {
    MappedByteBuffer data = ringData.get(index);
    if (data == null) {
      data = map(offset, bytes);
      ringData.put(index, data);
    }
    return data;
  }

  /** Events that the runtime could not record. */
  public long lost() {
    return (long) LONG.getAcquire(control, COUNTERS + Layout.Counters.LOST);
  }

  /** Events whose call stack found no room in the table. */
  public long stacksFull() {
    return (long) LONG.getAcquire(control, COUNTERS + Layout.Counters.STACKS_FULL);
  }

  /** Asks every process to stop recording: none waits for the reader any more. */
  public void stop() {
    INT.setRelease(control, COUNTERS + Layout.Counters.STOP, 1);
  }

  int nextSite() {
    return counter(Layout.Counters.NEXT_SITE);
  }

  int counter(int offset) {
    return (int) INT.getAcquire(control, COUNTERS + offset);
  }

  /** Header, counters and tables, all of it below the rings' data. */
  ByteBuffer control() {
    return control;
  }

  /** Closes the file; what is mapped stays so until it is collected. */
  @Override
  public void close() throws IOException {
    stopProviding();
    channel.close();
  }

  /**
   * Closes the file and gives its space back at once. Neither this recording nor what was made from
   * it may be read afterwards, and no process of the target may run any more: touching a truncated
   * mapping is a fault.
   */
  public void discard() throws IOException {
    stopProviding();
    try (channel) {
      channel.truncate(0);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private void stopProviding() {
    if (ringMemory != null) {
      ringMemory.stop();
    }
  }
}
