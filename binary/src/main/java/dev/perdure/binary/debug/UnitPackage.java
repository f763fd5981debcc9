package dev.perdure.binary.debug;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A {@code .dwp} file: many split units with an index, {@code .debug_cu_index}, from the id of each
 * to its parts of the sections (DWARF 5, 7.3.5, and GNU's form of it for DWARF 4).
 */
final class UnitPackage {
  private static final Map<Integer, String> SECTIONS =
      Map.of(
          1, ".debug_info",
          3, ".debug_abbrev",
          4, ".debug_line",
          6, ".debug_str_offsets");
  private static final int RNGLISTS = 8;
  private static final int HEADER = 16;

  private final ObjectFile file;
  private final ByteBuffer index;
  private final int version;
  private final int columns;
  private final int rows;
  private final int slots;

  UnitPackage(ObjectFile file) {
    this.file = file;
    this.index = file.section(".debug_cu_index");
    boolean usable = index.limit() >= HEADER;
    this.version = usable ? index.getShort(0) : 0;
    this.columns = usable ? index.getInt(4) : 0;
    this.rows = usable ? index.getInt(8) : 0;
    this.slots = usable ? index.getInt(12) : 0;
  }

  /** The sections of the unit with that id. */
  Optional<DwarfSections> sections(long id) {
    for (int slot = 0; slot < slots; slot++) {
      int row = index.getInt(HEADER + 8 * slots + 4 * slot);
      if (row != 0 && index.getLong(HEADER + 8 * slot) == id) {
        return Optional.of(parts(row - 1));
      }
    }
    return Optional.empty();
  }

  private DwarfSections parts(int row) {
    int names = HEADER + 12 * slots;
    int offsets = names + 4 * columns;
    int sizes = offsets + 4 * columns * rows;
    Map<String, ByteBuffer> parts = new HashMap<>();
    for (int column = 0; column < columns; column++) {
      String name = name(index.getInt(names + 4 * column));
      int cell = 4 * (row * columns + column);
      int from = index.getInt(offsets + cell);
      ByteBuffer whole = file.section(name + ".dwo");
      if (!name.isEmpty() && from <= whole.limit()) {
        int size = Math.min(index.getInt(sizes + cell), whole.limit() - from);
        parts.put(name, whole.slice(from, size).order(ByteOrder.LITTLE_ENDIAN));
      }
    }
    return DwarfSections.of(
        name -> parts.getOrDefault(name, file.section(name + ".dwo")), "", true);
  }

  private String name(int column) {
    boolean rnglists = column == RNGLISTS && version >= 5;
    return rnglists ? ".debug_rnglists" : SECTIONS.getOrDefault(column, "");
  }
}
