package dev.perdure.binary.debug;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A table of {@code .debug_abbrev}: the shapes of the entries of a unit, by their codes. It is read
 * as far as it was needed: of most units only the first entry is ever looked at.
 */
final class Abbreviations {
  private static final int DENSE = 1 << 16;

  /**
   * One shape.
   *
   * @param slots the ordinal of each {@link Attribute}, or -1
   * @param constants the values of DW_FORM_implicit_const
   * @param fixedSize how many bytes an entry takes, or -1 where that differs
   */
  record Shape(
      int tag, boolean children, int[] slots, int[] forms, long[] constants, int fixedSize) {}

  private Shape[] dense = new Shape[4];
  private final Map<Long, Shape> sparse = new HashMap<>();

  private final Cursor in;
  private final UnitHeader unit;
  private boolean complete;

  Abbreviations(ByteBuffer section, UnitHeader unit) {
    this.in = new Cursor(section, unit.abbreviations());
    this.unit = unit;
  }

  private static Shape shape(Cursor in, UnitHeader unit) {
    int tag = (int) in.uleb();
    boolean children = in.u8() != 0;
    int[] slots = new int[8];
    int[] forms = new int[8];
    long[] constants = new long[8];
    int count = 0;
    int size = 0;
    while (true) {
      int attribute = (int) in.uleb();
      int form = (int) in.uleb();
      long constant = form == Form.IMPLICIT_CONST ? in.sleb() : 0;
      if (attribute == 0 && form == 0) {
        break;
      }
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, count * 2);
        forms = Arrays.copyOf(forms, count * 2);
        constants = Arrays.copyOf(constants, count * 2);
      }
      slots[count] = Attribute.slot(attribute);
      forms[count] = form;
      constants[count++] = constant;
      int bytes = Form.size(form, unit);
      size = size < 0 || bytes < 0 ? -1 : size + bytes;
    }
    return new Shape(
        tag,
        children,
        Arrays.copyOf(slots, count),
        Arrays.copyOf(forms, count),
        Arrays.copyOf(constants, count),
        size);
  }

  private void put(long code, Shape shape) {
    if (code >= DENSE || code < 0) {
      sparse.put(code, shape);
      return;
    }
    if (code >= dense.length) {
      dense = Arrays.copyOf(dense, Math.max((int) code + 1, dense.length * 2));
    }
    dense[(int) code] = shape;
  }

  Shape shape(long code) {
    Shape shape = known(code);
    while (shape == null && !complete) {
      long next = in.uleb();
      if (next == 0) {
        complete = true;
      } else {
        put(next, shape(in, unit));
        shape = next == code ? known(code) : null;
      }
    }
    if (shape == null) {
      throw new BadDebugInfo("an entry without a shape");
    }
    return shape;
  }

  private Shape known(long code) {
    return code >= 0 && code < dense.length ? dense[(int) code] : sparse.get(code);
  }
}
