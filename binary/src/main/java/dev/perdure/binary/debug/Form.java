package dev.perdure.binary.debug;

/** The forms of attribute values (DWARF 5, 7.5.6, and GNU's), and how to read past each of them. */
final class Form {
  static final int ADDR = 0x01;
  static final int BLOCK2 = 0x03;
  static final int BLOCK4 = 0x04;
  static final int DATA2 = 0x05;
  static final int DATA4 = 0x06;
  static final int DATA8 = 0x07;
  static final int STRING = 0x08;
  static final int BLOCK = 0x09;
  static final int BLOCK1 = 0x0a;
  static final int DATA1 = 0x0b;
  static final int FLAG = 0x0c;
  static final int SDATA = 0x0d;
  static final int STRP = 0x0e;
  static final int UDATA = 0x0f;
  static final int REF_ADDR = 0x10;
  static final int REF1 = 0x11;
  static final int REF2 = 0x12;
  static final int REF4 = 0x13;
  static final int REF8 = 0x14;
  static final int REF_UDATA = 0x15;
  static final int INDIRECT = 0x16;
  static final int SEC_OFFSET = 0x17;
  static final int EXPRLOC = 0x18;
  static final int FLAG_PRESENT = 0x19;
  static final int STRX = 0x1a;
  static final int ADDRX = 0x1b;
  static final int REF_SUP4 = 0x1c;
  static final int STRP_SUP = 0x1d;
  static final int DATA16 = 0x1e;
  static final int LINE_STRP = 0x1f;
  static final int REF_SIG8 = 0x20;
  static final int IMPLICIT_CONST = 0x21;
  static final int LOCLISTX = 0x22;
  static final int RNGLISTX = 0x23;
  static final int REF_SUP8 = 0x24;
  static final int STRX1 = 0x25;
  static final int STRX2 = 0x26;
  static final int STRX3 = 0x27;
  static final int STRX4 = 0x28;
  static final int ADDRX1 = 0x29;
  static final int ADDRX2 = 0x2a;
  static final int ADDRX3 = 0x2b;
  static final int ADDRX4 = 0x2c;
  static final int GNU_ADDR_INDEX = 0x1f01;
  static final int GNU_STR_INDEX = 0x1f02;
  static final int GNU_REF_ALT = 0x1f20;
  static final int GNU_STRP_ALT = 0x1f21;

  private Form() {}

  /** How many bytes a value takes, or -1 where its own bytes tell. */
  static int size(int form, UnitHeader unit) {
    return switch (form) {
      case FLAG_PRESENT, IMPLICIT_CONST -> 0;
      case DATA1, REF1, FLAG, STRX1, ADDRX1 -> 1;
      case DATA2, REF2, STRX2, ADDRX2 -> 2;
      case STRX3, ADDRX3 -> 3;
      case DATA4, REF4, STRX4, ADDRX4, REF_SUP4 -> 4;
      case DATA8, REF8, REF_SIG8, REF_SUP8 -> 8;
      case DATA16 -> 16;
      case ADDR -> unit.addressSize();
      case REF_ADDR -> unit.version() <= 2 ? unit.addressSize() : unit.offsetSize();
      case STRP, LINE_STRP, SEC_OFFSET, STRP_SUP, GNU_REF_ALT, GNU_STRP_ALT -> unit.offsetSize();
      default -> -1;
    };
  }

  /** Reads a value as a number; for strings and blocks in place, where they begin. */
  static long value(int form, Cursor in, UnitHeader unit) {
    switch (size(form, unit)) {
      case 0:
        return 1;
      case 1:
        return in.u8();
      case 2:
        return in.u16();
      case 3:
        return in.u24();
      case 4:
        return in.u32();
      case 8:
        return in.u64();
      default:
        break;
    }
    switch (form) {
      case SDATA:
        return in.sleb();
      case UDATA, REF_UDATA, STRX, ADDRX, LOCLISTX, RNGLISTX, GNU_ADDR_INDEX, GNU_STR_INDEX:
        return in.uleb();
      default:
        long begin = in.at();
        skip(form, in, unit);
        return begin;
    }
  }

  static void skip(int form, Cursor in, UnitHeader unit) {
    int size = size(form, unit);
    if (size >= 0) {
      in.skip(size);
      return;
    }
    switch (form) {
      case STRING -> in.skipString();
      case BLOCK1 -> in.skip(in.u8());
      case BLOCK2 -> in.skip(in.u16());
      case BLOCK4 -> in.skip(in.u32());
      case BLOCK, EXPRLOC -> in.skip(in.uleb());
      case SDATA,
          UDATA,
          REF_UDATA,
          STRX,
          ADDRX,
          LOCLISTX,
          RNGLISTX,
          GNU_ADDR_INDEX,
          GNU_STR_INDEX ->
          in.skipLeb();
      case INDIRECT -> skip((int) in.uleb(), in, unit);
      default -> throw new BadDebugInfo("unknown form 0x" + Integer.toHexString(form));
    }
  }
}
