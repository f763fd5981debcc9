package dev.perdure.fuzz.input;

import java.util.List;
import java.util.SplittableRandom;

/** Makes new inputs out of old ones. */
public interface Mutator {
  /**
   * A new input.
   *
   * @param corpus all inputs, for merging
   */
  byte[] mutate(byte[] input, List<byte[]> corpus, SplittableRandom random);

  /** An input that fills the program with much data, for when coverage stalls. */
  byte[] populate(byte[] input, SplittableRandom random);

  /** The pieces that an input can lose one by one; together they are the input. */
  List<byte[]> parts(byte[] input);
}
