package dev.perdure.trace.text;

import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventKind;
import dev.perdure.trace.format.Layout;
import dev.perdure.trace.format.Payload;
import dev.perdure.trace.text.LineWords.BadLine;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the line of an event; its fields may stand in any order. */
final class EventParser {
  private final Map<String, String> fields = new HashMap<>();
  private int kind;

  /** Fills in the event that {@link EventText} wrote as this line. */
  void parse(String line, Event e) throws BadLine {
    String[] words = line.strip().split(" +");
    if (words.length < 2 || !words[0].startsWith("T")) {
      throw new BadLine("not the line of an event");
    }
    kind = kind(words[1]);
    fields.clear();
    int lockFlags = 0;
    for (String word : List.of(words).subList(2, words.length)) {
      int equals = word.indexOf('=');
      int flag = FieldNames.LOCK_FLAGS.indexOf(word);
      if (equals > 0) {
        fields.put(word.substring(0, equals), word.substring(equals + 1));
      } else if (flag >= 0 && FieldNames.isLock(kind)) {
        lockFlags |= 1 << flag;
      } else {
        throw new BadLine("unknown word " + word);
      }
    }
    try {
      read(words[0], lockFlags, e);
    } catch (IllegalArgumentException x) {
      throw new BadLine("a number is malformed (" + x.getMessage() + ")");
    }
    if (!fields.isEmpty()) {
      throw new BadLine(words[1] + " has no field " + Set.copyOf(fields.keySet()));
    }
  }

  private static int kind(String name) throws BadLine {
    int kind = EventKind.byName(name);
    if (kind < 0 && name.matches("kind[0-9]{1,3}")) {
      kind = Integer.parseInt(name.substring(4));
    }
    if (kind < 0 || kind > Layout.KIND_MASK) {
      throw new BadLine("unknown kind of event " + name);
    }
    return kind;
  }

  private void read(String thread, int lockFlags, Event e) throws BadLine {
    long address = number(FieldNames.address(kind));
    int info = info(lockFlags);
    if (info < 0 || info > 255) {
      throw new BadLine("info, size or order out of range");
    }
    long value =
        FieldNames.value(kind).equals("op")
            ? word("op", FieldNames.OPERATIONS)
            : number(FieldNames.value(kind));
    String time = fields.remove("t");
    e.set(
        kind,
        info,
        Integer.parseUnsignedInt(thread.substring(1)),
        time == null ? 0 : Long.parseLong(time),
        address,
        (int) number("site"),
        (int) number("stack"),
        value);
    readPayload(e);
  }

  private int info(int lockFlags) {
    List<String> ways = FieldNames.ways(kind);
    if (FieldNames.isAccess(kind)) {
      long size = number("size");
      return size < 0 || size > 31 ? -1 : (int) (size | word("order", FieldNames.ORDERS) << 5);
    }
    return (int) (ways.isEmpty() ? number("info") | lockFlags : word("how", ways));
  }

  private void readPayload(Event e) throws BadLine {
    int length = Payload.length(kind, e.value());
    if (length < 0) {
      throw new BadLine("a block has at most " + Layout.BLOCK_MAX + " bytes");
    }
    if (length == 0) {
      return;
    }
    List<String> words = FieldNames.payload(kind);
    byte[] target = e.resizePayload(length);
    ByteBuffer longs = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN);
    if (kind == EventKind.RMW) {
      wide("old", longs, 0);
      wide("new", longs, 16);
    } else if (!words.isEmpty()) {
      for (int i = 0; i < words.size(); i++) {
        longs.putLong(8 * i, number(words.get(i)));
      }
    } else {
      String hex = fields.remove("bytes");
      byte[] bytes = HexFormat.of().parseHex(hex == null ? "" : hex);
      if (bytes.length != length) {
        throw new BadLine(length + " bytes announced, " + bytes.length + " given");
      }
      System.arraycopy(bytes, 0, target, 0, length);
    }
  }

  private void wide(String field, ByteBuffer target, int at) throws BadLine {
    String text = fields.remove(field);
    BigInteger value =
        text == null
            ? BigInteger.ZERO
            : text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
    if (value.signum() < 0 || value.bitLength() > 128) {
      throw new BadLine(field + " has over 16 bytes");
    }
    target.putLong(at, value.longValue());
    target.putLong(at + 8, value.shiftRight(64).longValue());
  }

  private long number(String field) {
    String text = fields.remove(field);
    return text == null ? 0 : parse(text);
  }

  static long parse(String text) {
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseUnsignedLong(text);
  }

  private long word(String field, List<String> words) {
    String text = fields.remove(field);
    if (text == null) {
      return 0;
    }
    int at = words.indexOf(text);
    return at >= 0 ? at : parse(text);
  }
}
