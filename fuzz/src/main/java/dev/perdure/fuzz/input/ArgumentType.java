package dev.perdure.fuzz.input;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The values that an argument of an operation can have: one of some words, or a number of a range.
 *
 * @param words empty for a range
 */
record ArgumentType(String name, List<String> words, long least, long most) {
  private static final int FEW = 8;

  ArgumentType {
    words = List.copyOf(words);
  }

  static ArgumentType range(String name, long least, long most) {
    return new ArgumentType(name, List.of(), least, most);
  }

  static ArgumentType choice(String name, List<String> words) {
    return new ArgumentType(name, words, 0, 0);
  }

  /** Any value, all alike. */
  String various(SplittableRandom random) {
    long span = most - least + 1;
    return words.isEmpty() && span > 0 ? Long.toString(least + random.nextLong(span)) : any(random);
  }

  /** Any value; small numbers are as likely as all others together. */
  String any(SplittableRandom random) {
    if (!words.isEmpty()) {
      return words.get(random.nextInt(words.size()));
    }
    long span = most - least + 1;
    boolean few = random.nextBoolean() || span <= 0;
    return Long.toString(least + random.nextLong(few ? Math.max(1, Math.min(span, FEW)) : span));
  }

  /** Whether a value is one of this type. */
  boolean accepts(String value) {
    if (!words.isEmpty()) {
      return words.contains(value);
    }
    try {
      long number = Long.parseLong(value);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
