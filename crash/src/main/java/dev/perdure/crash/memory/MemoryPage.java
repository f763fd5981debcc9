package dev.perdure.crash.memory;

/** A page of a pool. Once a snapshot has it, it does not change any more. */
public final class MemoryPage {
  public static final int SIZE = 4096;
  static final int LINE = 64;

  /** Everything stored so far. */
  final byte[] latest;

  /** What is persistent for certain. */
  final byte[] persisted;

  /** The store that wrote each byte last. */
  final int[] writer;

  /** For each line, the bytes whose last store is not persistent. */
  final long[] open;

  final int version;

  private MemoryPage(byte[] latest, byte[] persisted, int[] writer, long[] open, int version) {
    this.latest = latest;
    this.persisted = persisted;
    this.writer = writer;
    this.open = open;
    this.version = version;
  }

  static MemoryPage of(byte[] content, int version) {
    return new MemoryPage(content, content.clone(), new int[SIZE], new long[SIZE / LINE], version);
  }

  MemoryPage copy(int newVersion) {
    return new MemoryPage(
        latest.clone(), persisted.clone(), writer.clone(), open.clone(), newVersion);
  }

  public byte[] latest() {
    return latest;
  }

  public byte[] persisted() {
    return persisted;
  }

  /** The store that wrote a byte last, 0 for none. */
  public int writer(int offset) {
    return writer[offset];
  }

  /** Which bytes of a line have a last store that is not persistent. */
  public long open(int line) {
    return open[line];
  }
}
