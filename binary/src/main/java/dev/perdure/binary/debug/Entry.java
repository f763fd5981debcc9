package dev.perdure.binary.debug;

import java.util.Arrays;

/**
 * A debugging information entry, filled over and over: its tag, and the raw values of the
 * attributes that places need.
 */
final class Entry {
  static final int CLASS_TYPE = 0x02;
  static final int STRUCTURE_TYPE = 0x13;
  static final int UNION_TYPE = 0x17;
  static final int INLINED_SUBROUTINE = 0x1d;
  static final int SUBPROGRAM = 0x2e;
  static final int INTERFACE_TYPE = 0x38;
  static final int NAMESPACE = 0x39;

  private final long[] values = new long[Attribute.COUNT];
  private final int[] forms = new int[Attribute.COUNT];
  private int offset;
  private int tag;
  private boolean children;

  /** Reads the entry at the cursor; false at the mark that ends a list of children. */
  boolean read(Cursor in, UnitHeader unit, Abbreviations abbreviations) {
    offset = in.at();
    long code = in.uleb();
    if (code == 0) {
      return false;
    }
    Abbreviations.Shape shape = abbreviations.shape(code);
    tag = shape.tag();
    children = shape.children();
    if (shape.fixedSize() >= 0 && !matters(tag)) {
      in.skip(shape.fixedSize());
    } else {
      attributes(in, unit, shape);
    }
    return true;
  }

  private void attributes(Cursor in, UnitHeader unit, Abbreviations.Shape shape) {
    Arrays.fill(forms, 0);
    for (int i = 0; i < shape.slots().length; i++) {
      int form = shape.forms()[i];
      while (form == Form.INDIRECT) {
        form = (int) in.uleb();
      }
      int slot = shape.slots()[i];
      if (slot < 0 || forms[slot] != 0) {
        Form.skip(form, in, unit);
      } else {
        forms[slot] = form;
        long value = Form.value(form, in, unit);
        values[slot] = form == Form.IMPLICIT_CONST ? shape.constants()[i] : value;
      }
    }
  }

  private static boolean matters(int tag) {
    return switch (tag) {
      case SUBPROGRAM, INLINED_SUBROUTINE -> true;
      default -> isUnit(tag) || qualifies(tag);
    };
  }

  private static boolean isUnit(int tag) {
    return tag == 0x11 || tag == 0x3c || tag == 0x41 || tag == 0x4a;
  }

  /** Whether names inside are qualified by the name of such an entry. */
  static boolean qualifies(int tag) {
    return switch (tag) {
      case CLASS_TYPE, STRUCTURE_TYPE, UNION_TYPE, INTERFACE_TYPE, NAMESPACE -> true;
      default -> false;
    };
  }

  int offset() {
    return offset;
  }

  int tag() {
    return tag;
  }

  boolean children() {
    return children;
  }

  boolean has(Attribute attribute) {
    return forms[attribute.ordinal()] != 0;
  }

  int form(Attribute attribute) {
    return forms[attribute.ordinal()];
  }

  /** The raw value, 0 where the attribute is absent. */
  long value(Attribute attribute) {
    return has(attribute) ? values[attribute.ordinal()] : 0;
  }
}
