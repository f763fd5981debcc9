package dev.perdure.binary.debug;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * The head of a unit of {@code .debug_info}.
 *
 * @param offset where the unit begins, from which references inside it count
 * @param end where the next one begins
 * @param entries where its first entry begins
 * @param type DW_UT_*; 1 (compile) before DWARF 5
 * @param wide whether offsets have eight bytes
 * @param dwoId what ties a skeleton to its split unit
 */
record UnitHeader(
    int offset,
    int end,
    int entries,
    int version,
    int type,
    boolean wide,
    int addressSize,
    long abbreviations,
    OptionalLong dwoId) {
  private static final int TYPE = 2;
  private static final int SKELETON = 4;
  private static final int SPLIT_COMPILE = 5;
  private static final int SPLIT_TYPE = 6;

  int offsetSize() {
    return wide ? 8 : 4;
  }

  static UnitHeader read(ByteBuffer info, int offset) {
    var in = new Cursor(info, offset);
    long length = in.u32();
    boolean wide = length == 0xffffffffL;
    if (wide) {
      length = in.u64();
    }
    long end = in.at() + length;
    if (end < in.at() || end > info.limit()) {
      throw new BadDebugInfo("a unit that is longer than its section");
    }
    int version = in.u16();
    if (version < 2 || version > 5) {
      throw new BadDebugInfo("DWARF version " + version + " is not known");
    }
    int type = 1;
    long abbreviations;
    int addressSize;
    OptionalLong dwoId = OptionalLong.empty();
    if (version >= 5) {
      type = in.u8();
      addressSize = in.u8();
      abbreviations = in.offset(wide);
      if (type == SKELETON || type == SPLIT_COMPILE) {
        dwoId = OptionalLong.of(in.u64());
      } else if (type == TYPE || type == SPLIT_TYPE) {
        in.u64();
        in.offset(wide);
      }
    } else {
      abbreviations = in.offset(wide);
      addressSize = in.u8();
    }
    return new UnitHeader(
        offset, (int) end, in.at(), version, type, wide, addressSize, abbreviations, dwoId);
  }
}
