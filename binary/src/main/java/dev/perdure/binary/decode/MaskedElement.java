package dev.perdure.binary.decode;

/** What a bit of a mask of AVX-512 selects in memory, as the table of opcodes names it. */
enum MaskedElement {
  /** Four bytes, or eight with W. */
  BY_W,
  BYTE,
  WORD,
  /** Loads do not ask the mask; stores have elements by W. */
  ALL;

  static MaskedElement parse(String text) {
    return switch (text) {
      case "1" -> BYTE;
      case "2" -> WORD;
      case "all" -> ALL;
      default -> throw new IllegalArgumentException("no element: " + text);
    };
  }

  int bytes(boolean wide) {
    return switch (this) {
      case BYTE -> 1;
      case WORD -> 2;
      case BY_W, ALL -> wide ? 8 : 4;
    };
  }
}
