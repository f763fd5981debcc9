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
import java.util.stream.IntStream;

/** The table of opcodes, spread out so that a form is found by its numbers. */
final class OpcodeTable {
  static final int LEGACY = 0;
  static final int VEX = 1;
  static final int EVEX = 2;

  /** Mandatory prefixes: none, 66, F3, F2. */
  private static final List<String> PREFIXES = List.of("np", "66", "F3", "F2");

  /** By number; there is none with the number 4. */
  private static final List<String> MAPS = List.of("", "0F", "0F38", "0F3A", "-", "M5", "M6");

  private static final Pattern QUALIFIER =
      Pattern.compile("\\.(?:np|66|F3|F2|l|v|x|e|w0|w1)|/[0-7]|[mr]");
  private static final Pattern KEY =
      Pattern.compile("(0F38|0F3A|0F|M5|M6)?([0-9A-F]{2})((?:" + QUALIFIER + ")*)");
  private static final int FORMS = 16;
  private static final String ELEMENTS = "%";

  static final OpcodeTable STANDARD = read();

  /** By encoding, map, prefix, W and opcode; then by extension and memory or register form. */
  private final Opcode[][] cells = new Opcode[3 * MAPS.size() * 4 * 2 * 256][];

  private final boolean[] modRm = new boolean[cells.length];
  private final MaskedElement[] elements = new MaskedElement[cells.length];

  /** What a key names. A prefix, W, extension or form below 0 stands for any. */
  private record Key(
      int map, int number, List<Integer> encodings, int prefix, int wide, int extension, int form) {
    IntStream cells() {
      return encodings.stream()
          .flatMapToInt(
              e ->
                  IntStream.range(0, 4)
                      .filter(p -> prefix < 0 || prefix == p)
                      .flatMap(
                          p ->
                              IntStream.range(0, 2)
                                  .filter(w -> wide < 0 || wide == w)
                                  .map(w -> cell(e, map, p, w, number))));
    }
  }

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
          table.add(words.get(0), words.subList(1, words.size()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table;
  }

  private void add(String first, List<String> others) {
    if (first.startsWith(ELEMENTS)) {
      MaskedElement element = MaskedElement.parse(first.substring(1));
      others.forEach(key -> key(key).cells().forEach(cell -> elements[cell] = element));
    } else {
      Key key = key(first);
      Opcode opcode = Opcode.parse(others);
      boolean needsModRm = opcode.hasModRm() || key.extension >= 0 || key.form >= 0;
      key.cells().forEach(cell -> fill(cell, opcode, key.extension, key.form, needsModRm));
    }
  }

  private static Key key(String text) {
    Matcher m = KEY.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException("no opcode: " + text);
    }
    int map = MAPS.indexOf(m.group(1) == null ? "" : m.group(1));
    List<Integer> encodings =
        map == 0 ? List.of(LEGACY) : map > 3 ? List.of(EVEX) : List.of(LEGACY, VEX, EVEX);
    int prefix = -1;
    int wide = -1;
    int extension = -1;
    int form = -1;
    Matcher q = QUALIFIER.matcher(m.group(3));
    while (q.find()) {
      String word = q.group();
      switch (word) {
        case ".l" -> encodings = List.of(LEGACY);
        case ".v" -> encodings = List.of(VEX, EVEX);
        case ".x" -> encodings = List.of(VEX);
        case ".e" -> encodings = List.of(EVEX);
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
    int number = Integer.parseInt(m.group(2), 16);
    return new Key(map, number, encodings, prefix, wide, extension, form);
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
    return (((encoding * MAPS.size() + map) * 4 + prefix) * 2 + wide) * 256 + opcode;
  }

  boolean exists(int cell) {
    return cells[cell] != null;
  }

  boolean hasModRm(int cell) {
    return modRm[cell];
  }

  /** What a bit of a mask selects. */
  MaskedElement element(int cell) {
    return elements[cell] == null ? MaskedElement.BY_W : elements[cell];
  }

  /** The form with that extension (the reg field), in memory or register form; null if none. */
  Opcode form(int cell, int extension, boolean register) {
    return cells[cell][extension << 1 | (register ? 1 : 0)];
  }
}
