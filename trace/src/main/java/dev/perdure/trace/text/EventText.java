package dev.perdure.trace.text;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.event.MemoryOrder;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes an event as a line: {@code T2 store addr=0x2000… size=8 value=0x1 site=3 stack=7 t=123}.
 */
public final class EventText {
  private EventText() {}

  /** The line of an event, without a line end. Fields that are zero are left out. */
  public static String of(Event e) {
    StringBuilder out = new StringBuilder(96);
    int kind = e.kind();
    String name = EventKind.name(kind);
    out.append('T').append(Integer.toUnsignedString(e.thread())).append(' ');
    out.append(name.isEmpty() ? "kind" + kind : name);
    if (e.address() != 0) {
      String label = FieldNames.address(kind);
      field(out, label, label.equals("addr") ? hex(e.address()) : decimal(e.address()));
    }
    info(out, kind, e.info());
    value(out, kind, e.value());
    payload(out, e);
    number(out, "site", e.site());
    number(out, "stack", e.stack());
    field(out, "t", Long.toString(e.time()));
    return out.toString();
  }

  private static void info(StringBuilder out, int kind, int info) {
    List<String> ways = FieldNames.ways(kind);
    if (FieldNames.isAccess(kind)) {
      field(out, "size", Integer.toString(info & 31));
      if (info >>> 5 != MemoryOrder.PLAIN) {
        field(out, "order", word(FieldNames.ORDERS, info >>> 5));
      }
    } else if (!ways.isEmpty()) {
      field(out, "how", word(ways, info));
    } else if (FieldNames.isLock(kind) && info >>> FieldNames.LOCK_FLAGS.size() == 0) {
      for (int i = 0; i < FieldNames.LOCK_FLAGS.size(); i++) {
        if ((info >>> i & 1) != 0) {
          out.append(' ').append(FieldNames.LOCK_FLAGS.get(i));
        }
      }
    } else {
      number(out, "info", info);
    }
  }

  private static void value(StringBuilder out, int kind, long value) {
    String label = FieldNames.value(kind);
    if (label.equals("op")) {
      field(
          out,
          label,
          value >= 0 && value < FieldNames.OPERATIONS.size()
              ? FieldNames.OPERATIONS.get((int) value)
              : decimal(value));
    } else if (FieldNames.isAccess(kind)) {
      field(out, label, hex(value));
    } else if (value != 0) {
      field(out, label, label.equals("value") ? hex(value) : decimal(value));
    }
  }

  private static void payload(StringBuilder out, Event e) {
    List<String> words = FieldNames.payload(e.kind());
    if (e.kind() == EventKind.RMW) {
      field(out, "old", wide(e.payloadLong(0), e.payloadLong(8)));
      field(out, "new", wide(e.payloadLong(16), e.payloadLong(24)));
    } else if (!words.isEmpty()) {
      for (int i = 0; i < words.size(); i++) {
        field(out, words.get(i), hex(e.payloadLong(8 * i)));
      }
    } else if (e.payloadLength() > 0) {
      field(out, "bytes", HexFormat.of().formatHex(e.payload(), 0, e.payloadLength()));
    }
  }

  private static String word(List<String> words, int number) {
    return number < words.size() ? words.get(number) : Integer.toString(number);
  }

  private static String wide(long low, long high) {
    return high == 0 ? hex(low) : "0x%x%016x".formatted(high, low);
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }

  private static String decimal(long value) {
    return Long.toUnsignedString(value);
  }

  private static void number(StringBuilder out, String label, int value) {
    if (value != 0) {
      field(out, label, Integer.toUnsignedString(value));
    }
  }

  private static void field(StringBuilder out, String label, String value) {
    out.append(' ').append(label).append('=').append(value);
  }
}
