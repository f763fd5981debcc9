package dev.perdure.binary.flow;

/**
 * Where the caller's frame is, from an address on up to the next row.
 *
 * @param base what the frame's end is counted from
 * @param offset from there to the frame's end, which lies behind the return address
 * @param savedRbp how far before the frame's end the caller's rbp is saved; 0: it is still in rbp
 */
public record FrameRow(long address, Base base, int offset, int savedRbp) {
  /** The register that the frame's end is counted from. */
  public enum Base {
    UNKNOWN,
    RSP,
    RBP
  }

  static FrameRow unknown(long address) {
    return new FrameRow(address, Base.UNKNOWN, 0, 0);
  }

  /** Whether callers are found by the value of rbp: as the frame's, or still as the caller's. */
  public boolean needsRbp() {
    return base == Base.RBP || base == Base.RSP && savedRbp == 0;
  }

  /** Offset / 8 in the lower half, above it the place of rbp / 8, at the top the base. */
  public int packed() {
    return offset / 8 | savedRbp / 8 << 16 | base.ordinal() << 24;
  }

  public static FrameRow unpacked(long address, int row) {
    return new FrameRow(
        address, Base.values()[row >>> 24], 8 * (row & 0xffff), 8 * (row >>> 16 & 0xff));
  }
}
