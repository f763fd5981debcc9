package dev.perdure.report.configuration;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * On which line of a TOML text a key stands. The TOML parser does not keep places; this reads just
 * enough of the text (headers and the start of each line) to name a line in a message, and gives
 * none where it cannot.
 */
final class KeyLines {
  private static final Pattern HEADER = Pattern.compile("^\\s*(\\[\\[?)\\s*([^\\[\\]]+?)\\s*\\]");
  private static final Pattern KEY = Pattern.compile("^\\s*([A-Za-z0-9_.\"'-]+)\\s*=");

  private final String[] lines;
  private final Map<String, Integer> byPath = new HashMap<>();

  KeyLines(String text) {
    lines = text.split("\n", -1);
    Map<String, Integer> blocks = new HashMap<>();
    String table = "";
    for (int i = 0; i < lines.length; i++) {
      Matcher header = HEADER.matcher(lines[i]);
      Matcher key = KEY.matcher(lines[i]);
      if (header.find()) {
        table = plain(header.group(2));
        if (header.group(1).length() == 2) {
          table += "[" + (blocks.merge(table, 1, Integer::sum) - 1) + "]";
        }
        byPath.putIfAbsent(table, i + 1);
        byPath.putIfAbsent(table.replaceFirst("\\[\\d+\\]$", ""), i + 1);
      } else if (key.find()) {
        byPath.putIfAbsent(join(table, plain(key.group(1))), i + 1);
      }
    }
  }

  /**
   * The line of a key, by the path of its table and its name; the table's own line failing that.
   */
  OptionalInt of(String table, String key) {
    Integer exact = byPath.get(join(table, key));
    if (exact != null) {
      return OptionalInt.of(exact);
    }
    int from = enclosing(table);
    if (key.isEmpty()) {
      return from > 0 ? OptionalInt.of(from) : OptionalInt.empty();
    }
    Pattern inline = Pattern.compile("[{,]\\s*\"?" + Pattern.quote(key) + "\"?\\s*=");
    for (int i = Math.max(from, 1); from > 0 && i <= lines.length; i++) {
      if (i > from && HEADER.matcher(lines[i - 1]).find()) {
        break;
      }
      if (inline.matcher(lines[i - 1]).find()) {
        return OptionalInt.of(i);
      }
    }
    return from > 0 ? OptionalInt.of(from) : OptionalInt.empty();
  }

  private int enclosing(String path) {
    String p = path;
    while (!p.isEmpty()) {
      Integer line = byPath.get(p);
      if (line != null) {
        return line;
      }
      String shorter = p.replaceFirst("(\\[\\d+\\]|\\.[^.\\[]+)$", "");
      p = shorter.equals(p) ? "" : shorter;
    }
    return 0;
  }

  private static String join(String table, String key) {
    return table.isEmpty() ? key : table + "." + key;
  }

  private static String plain(String key) {
    return key.replace("\"", "").replace("'", "").replace(" ", "");
  }
}
