package dev.perdure.trace.file;

/**
 * How many bytes an event's numbers take: two bits each, in the event's first byte. Reader and
 * writer need no branch for them, which would be mispredicted.
 */
final class NumberLengths {
  static final int TIME_SHIFT = 2;
  static final int ADDRESS_SHIFT = 4;
  static final int VALUE_SHIFT = 6;

  /** The bit of a code that says that there is none for such a number. */
  static final int TOO_LONG = 8;

  /** Four bits for each number of bytes, from 0 in the lowest to 8: the code for it. */
  private static final long TIME_CODES = 0x888833210L;

  private static final long ADDRESS_CODES = 0x883332210L;
  private static final long VALUE_CODES = 0x333322111L;

  private NumberLengths() {}

  private static int code(long codes, long number) {
    int bytes = 71 - Long.numberOfLeadingZeros(number) >>> 3;
    return (int) (codes >>> 4 * bytes) & 15;
  }

  /** For numbers of 0, 1, 2 and 4 bytes. */
  static int timeCode(long number) {
    return code(TIME_CODES, number);
  }

  /** For numbers of 0, 1, 3 and 6 bytes. */
  static int addressCode(long number) {
    return code(ADDRESS_CODES, number);
  }

  /** For numbers of 2, 4 and 8 bytes; code 0 stands for a value that was expected. */
  static int valueCode(long number) {
    return code(VALUE_CODES, number);
  }

  static int timeLength(int control) {
    return 1 << (control >>> TIME_SHIFT & 3) >>> 1;
  }

  static int addressLength(int control) {
    int code = control >>> ADDRESS_SHIFT & 3;
    return code * (code + 1) >>> 1;
  }

  static int valueLength(int control) {
    return 1 << (control >>> VALUE_SHIFT & 3) & ~1;
  }

  /** The number in the lowest bytes of a word, at most seven. */
  static long number(long word, int length) {
    return word & (1L << 8 * length) - 1;
  }

  /** The number in the lowest bytes of a word, at least one. */
  static long longNumber(long word, int length) {
    return word & -1L >>> 64 - 8 * length;
  }
}
