package dev.perdure.binary.debug;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A unit of debug information: turns the raw values of its entries into strings, addresses and
 * ranges. What a split unit does not say itself is taken from its skeleton.
 */
final class Unit {
  private final DwarfFile file;
  private final UnitHeader header;
  private final Optional<Unit> skeleton;
  private final Abbreviations abbreviations;
  private final Entry root = new Entry();

  Unit(DwarfFile file, UnitHeader header, Abbreviations abbreviations, Optional<Unit> skeleton) {
    this.file = file;
    this.header = header;
    this.skeleton = skeleton;
    this.abbreviations = abbreviations;
    root.read(new Cursor(sections().info(), header.entries()), header, abbreviations);
  }

  UnitHeader header() {
    return header;
  }

  DwarfFile file() {
    return file;
  }

  Entry root() {
    return root;
  }

  DwarfSections sections() {
    return file.sections();
  }

  /** The unit whose line table and addresses hold for this one. */
  Unit addressed() {
    return skeleton.orElse(this);
  }

  Cursor cursor(long offset) {
    return new Cursor(sections().info(), offset);
  }

  boolean read(Entry entry, Cursor in) {
    return entry.read(in, header, abbreviations);
  }

  String name() {
    return string(root, Attribute.NAME);
  }

  String directory() {
    String own = string(root, Attribute.COMP_DIR);
    return own.isEmpty() && skeleton.isPresent() ? skeleton.get().directory() : own;
  }

  /** The text of an attribute, empty where it is absent. */
  String string(Entry entry, Attribute attribute) {
    return entry.has(attribute) ? string(entry.form(attribute), entry.value(attribute)) : "";
  }

  String string(int form, long value) {
    return switch (form) {
      case Form.STRING -> Cursor.string(sections().info(), value);
      case Form.STRP -> Cursor.string(sections().str(), value);
      case Form.LINE_STRP -> Cursor.string(sections().lineStr(), value);
      case Form.GNU_STRP_ALT, Form.STRP_SUP ->
          Cursor.string(file.alternate().sections().str(), value);
      case Form.STRX, Form.STRX1, Form.STRX2, Form.STRX3, Form.STRX4, Form.GNU_STR_INDEX ->
          indexedString(value);
      default -> "";
    };
  }

  private String indexedString(long index) {
    long base =
        root.has(Attribute.STR_OFFSETS_BASE)
            ? root.value(Attribute.STR_OFFSETS_BASE)
            : header.version() >= 5 ? 2L * header.offsetSize() : 0;
    var in = new Cursor(sections().strOffsets(), base + index * header.offsetSize());
    return Cursor.string(sections().str(), in.offset(header.wide()));
  }

  long address(int form, long value) {
    return switch (form) {
      case Form.ADDRX, Form.ADDRX1, Form.ADDRX2, Form.ADDRX3, Form.ADDRX4, Form.GNU_ADDR_INDEX ->
          addressed().indexedAddress(value);
      default -> value;
    };
  }

  long indexedAddress(long index) {
    if (skeleton.isPresent()) {
      return skeleton.get().indexedAddress(index);
    }
    long base =
        root.has(Attribute.ADDR_BASE)
            ? root.value(Attribute.ADDR_BASE)
            : header.version() >= 5 ? 8 : 0;
    return new Cursor(sections().addr(), base + index * header.addressSize()).u64();
  }

  /** What the addresses in range lists are relative to. */
  long lowAddress() {
    Unit unit = root.has(Attribute.LOW_PC) ? this : addressed();
    return unit.root.has(Attribute.LOW_PC)
        ? unit.address(unit.root.form(Attribute.LOW_PC), unit.root.value(Attribute.LOW_PC))
        : 0;
  }

  /** The addresses of an entry. */
  Ranges ranges(Entry entry) {
    if (entry.has(Attribute.RANGES)) {
      return Ranges.ofList(this, entry.form(Attribute.RANGES), entry.value(Attribute.RANGES));
    }
    if (!entry.has(Attribute.LOW_PC) || !entry.has(Attribute.HIGH_PC)) {
      return Ranges.NONE;
    }
    long low = address(entry.form(Attribute.LOW_PC), entry.value(Attribute.LOW_PC));
    int form = entry.form(Attribute.HIGH_PC);
    long high = entry.value(Attribute.HIGH_PC);
    return switch (form) {
      case Form.DATA1, Form.DATA2, Form.DATA4, Form.DATA8, Form.UDATA, Form.SDATA ->
          Ranges.of(low, low + high);
      case Form.IMPLICIT_CONST -> Ranges.of(low, low + high);
      default -> Ranges.of(low, address(form, high));
    };
  }

  /** {@code .debug_ranges} as the unit sees it, and where its lists begin. */
  ByteBuffer oldRanges() {
    return addressed().sections().ranges();
  }

  long oldRangesBase() {
    return skeleton.map(s -> s.root.value(Attribute.GNU_RANGES_BASE)).orElse(0L);
  }

  long rangeListsBase() {
    return root.has(Attribute.RNGLISTS_BASE)
        ? root.value(Attribute.RNGLISTS_BASE)
        : header.wide() ? 20 : 12;
  }

  /** Where the line table of the unit begins; -1 if it has none. */
  long lineTable() {
    return root.has(Attribute.STMT_LIST) ? root.value(Attribute.STMT_LIST) : -1;
  }

  /** The entry that an attribute refers to, which may belong to another unit or file. */
  Reference reference(int form, long value) {
    return switch (form) {
      case Form.REF1, Form.REF2, Form.REF4, Form.REF8, Form.REF_UDATA ->
          new Reference(this, Math.toIntExact(header.offset() + value));
      case Form.REF_ADDR -> file.reference(value);
      case Form.GNU_REF_ALT, Form.REF_SUP4, Form.REF_SUP8 -> file.alternate().reference(value);
      default -> throw new BadDebugInfo("a reference of form 0x" + Integer.toHexString(form));
    };
  }

  /** An entry by its place. */
  record Reference(Unit unit, int offset) {}
}
