package dev.perdure.llvm.assembly;

/** One thing that an asm statement does to memory, in the order of the text. */
public sealed interface Effect {

  /** Which flush instruction. */
  enum FlushKind {
    CLWB,
    CLFLUSHOPT,
    CLFLUSH
  }

  /** What a locked instruction does with the old value. */
  enum RmwKind {
    OTHER,
    EXCHANGE,
    COMPARE_EXCHANGE
  }

  /** A flush of the line at an address. */
  record Flush(FlushKind kind, Address address) implements Effect {}

  /** A store fence. */
  record StoreFence() implements Effect {}

  /** A full fence. */
  record FullFence() implements Effect {}

  /** A locked read-modify-write. */
  record LockedRmw(RmwKind kind, Address address, int size) implements Effect {}

  /**
   * A store.
   *
   * @param size in bytes, 0 if the operands' types say
   */
  record Store(Address address, Source source, int size, boolean nonTemporal) implements Effect {}

  /** A load. */
  record Load(Address address, int size) implements Effect {}

  /** A repeated string instruction that copies: {@code count} elements of {@code size} bytes. */
  record Copy(Address to, Address from, int count, int size) implements Effect {}

  /** A repeated string instruction that fills. */
  record Fill(Address to, int count, int size) implements Effect {}
}
