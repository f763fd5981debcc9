package dev.perdure.binary.debug;

/** The attributes that places need; all others are passed over. */
enum Attribute {
  NAME(0x03),
  STMT_LIST(0x10),
  LOW_PC(0x11),
  HIGH_PC(0x12),
  COMP_DIR(0x1b),
  ABSTRACT_ORIGIN(0x31),
  DECL_FILE(0x3a),
  DECL_LINE(0x3b),
  SPECIFICATION(0x47),
  RANGES(0x55),
  CALL_FILE(0x58),
  CALL_LINE(0x59),
  LINKAGE_NAME(0x6e, 0x2007),
  STR_OFFSETS_BASE(0x72),
  ADDR_BASE(0x73, 0x2133),
  RNGLISTS_BASE(0x74),
  GNU_RANGES_BASE(0x2132),
  DWO_NAME(0x76, 0x2130),
  GNU_DWO_ID(0x2131);

  static final int COUNT = values().length;
  private static final Attribute[] ALL = values();

  private final int code;
  private final int olderCode;

  Attribute(int code) {
    this(code, code);
  }

  Attribute(int code, int olderCode) {
    this.code = code;
    this.olderCode = olderCode;
  }

  /** The ordinal of the attribute with that code, or -1. */
  static int slot(int code) {
    for (Attribute a : ALL) {
      if (a.code == code || a.olderCode == code) {
        return a.ordinal();
      }
    }
    return -1;
  }
}
