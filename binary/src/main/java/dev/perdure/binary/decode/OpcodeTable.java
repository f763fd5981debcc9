package dev.perdure.binary.decode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of opcodes, spread out so that a form is found by its numbers. */
final class OpcodeTable {
  static final int LEGACY = 0;
  static final int VEX = 1;
  static final int EVEX = 2;

  /** Mandatory prefixes: none, 66, F3, F2. */
  private static final List<String> PREFIXES = List.of("np", "66", "F3", "F2");

  private static final List<String> MAPS = List.of("", "0F", "0F38", "0F3A");
  private static final Pattern KEY =
      Pattern.compile(
          "(0F38|0F3A|0F)?([0-9A-F]{2})((?:\\.(?:np|66|F3|F2|l|v|x|e|w0|w1)|/[0-7]|[mr])*)");
  private static final Pattern QUALIFIER = Pattern.compile("\\.[A-Za-z0-9]+|/[0-7]|[mr]");
  private static final int FORMS = 16;

  static final OpcodeTable STANDARD = read();

  /** By encoding, map, prefix, W and opcode; then by extension and memory or register form. */
  private final Opcode[][] cells = new Opcode[3 * 4 * 4 * 2 * 256][];

  private final boolean[] modRm = new boolean[cells.length];

  private static OpcodeTable read() {
    OpcodeTable table = new OpcodeTable();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                OpcodeTable.class.getResourceAsStream("opcodes.txt"), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int comment = line.indexOf('#');
        String text = (comment < 0 ? line : line.substring(0, comment)).strip();
        if (!text.isEmpty()) {
          List<String> words = List.of(text.split("\\s+"));
          table.add(words.get(0), Opcode.parse(words.subList(1, words.size())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table;
  }

  private void add(String key, Opcode opcode) {
    Matcher m = KEY.matcher(key);
    if (!m.matches()) {
      throw new IllegalArgumentException("no opcode: " + key);
    }
    int map = MAPS.indexOf(m.group(1) == null ? "" : m.group(1));
    int number = Integer.parseInt(m.group(2), 16);
    boolean[] encodings = {true, map > 0, map > 0};
    int prefix = -1;
    int wide = -1;
    int extension = -1;
    int form = -1;
    Matcher q = QUALIFIER.matcher(m.group(3));
    while (q.find()) {
      String word = q.group();
      switch (word) {
        case ".l" -> encodings = new boolean[] {true, false, false};
        case ".v" -> encodings = new boolean[] {false, true, true};
        case ".x" -> encodings = new boolean[] {false, true, false};
        case ".e" -> encodings = new boolean[] {false, false, true};
        case ".w0" -> wide = 0;
        case ".w1" -> wide = 1;
        case "m" -> form = 0;
        case "r" -> form = 1;
        default -> {
          if (word.charAt(0) == '/') {
            extension = word.charAt(1) - '0';
          } else {
            prefix = PREFIXES.indexOf(word.substring(1));
          }
        }
      }
    }
    boolean needsModRm = opcode.hasModRm() || extension >= 0 || form >= 0;
    for (int e = 0; e < 3; e++) {
      for (int p = 0; p < 4; p++) {
        for (int w = 0; w < 2; w++) {
          if (encodings[e] && (prefix < 0 || prefix == p) && (wide < 0 || wide == w)) {
            fill(cell(e, map, p, w, number), opcode, extension, form, needsModRm);
          }
        }
      }
    }
  }

  private void fill(int cell, Opcode opcode, int extension, int form, boolean needsModRm) {
    if (cells[cell] == null) {
      cells[cell] = new Opcode[FORMS];
    }
    if (extension < 0 && form < 0) {
      Arrays.fill(cells[cell], opcode);
    } else {
      for (int i = 0; i < FORMS; i++) {
        if ((extension < 0 || extension == i >> 1) && (form < 0 || form == (i & 1))) {
          cells[cell][i] = opcode;
        }
      }
    }
    modRm[cell] |= needsModRm;
  }

  static int cell(int encoding, int map, int prefix, int wide, int opcode) {
    return (((encoding * 4 + map) * 4 + prefix) * 2 + wide) * 256 + opcode;
  }

  boolean exists(int cell) {
    return cells[cell] != null;
  }

  boolean hasModRm(int cell) {
    return modRm[cell];
  }

  /** The form with that extension (the reg field), in memory or register form; null if none. */
  Opcode form(int cell, int extension, boolean register) {
    return cells[cell][extension << 1 | (register ? 1 : 0)];
  }
}
