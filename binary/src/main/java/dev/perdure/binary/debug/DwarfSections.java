package dev.perdure.binary.debug;

import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * The sections that units are read from; one that a file does not have is empty.
 *
 * @param split whether they belong to a split unit, whose addresses are in the skeleton's file
 */
record DwarfSections(
    ByteBuffer info,
    ByteBuffer abbrev,
    ByteBuffer str,
    ByteBuffer strOffsets,
    ByteBuffer rnglists,
    ByteBuffer lineStr,
    ByteBuffer line,
    ByteBuffer addr,
    ByteBuffer ranges,
    boolean split) {

  /** Those of an executable, a library or a detached file. */
  static DwarfSections of(ObjectFile file) {
    return of(file::section, "", false);
  }

  /** Those of a {@code .dwo} file. */
  static DwarfSections ofSplit(ObjectFile file) {
    return of(file::section, ".dwo", true);
  }

  /** Those that the function gives for the names, with the ending behind each. */
  static DwarfSections of(Function<String, ByteBuffer> section, String ending, boolean split) {
    return new DwarfSections(
        section.apply(".debug_info" + ending),
        section.apply(".debug_abbrev" + ending),
        section.apply(".debug_str" + ending),
        section.apply(".debug_str_offsets" + ending),
        section.apply(".debug_rnglists" + ending),
        section.apply(".debug_line_str" + ending),
        section.apply(".debug_line" + ending),
        section.apply(".debug_addr" + ending),
        section.apply(".debug_ranges" + ending),
        split);
  }
}
