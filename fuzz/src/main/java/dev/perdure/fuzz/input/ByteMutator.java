package dev.perdure.fuzz.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Changes bytes, where nothing is known of the input's form. */
public final class ByteMutator implements Mutator {
  private static final int MOST_BYTES = 1 << 16;
  private static final int MOST_PARTS = 256;
  private static final byte[] INTERESTING = {0, 1, -1, 127, -128, ' ', '\n', '0', '9'};

  @Override
  public byte[] mutate(byte[] input, List<byte[]> corpus, SplittableRandom random) {
    byte[] bytes = input.clone();
    for (int rounds = 1 + random.nextInt(6); rounds > 0; rounds--) {
      bytes = step(bytes, corpus, random);
    }
    return bytes.length > MOST_BYTES ? Arrays.copyOf(bytes, MOST_BYTES) : bytes;
  }

  private static byte[] step(byte[] bytes, List<byte[]> corpus, SplittableRandom random) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = INTERESTING[random.nextInt(INTERESTING.length)];
      case 2 -> bytes[at] += (byte) (random.nextInt(70) - 35);
      case 3 -> {
        return spliced(bytes, at, new byte[] {(byte) random.nextInt(256)}, at);
      }
      case 4 -> {
        int end = Math.min(bytes.length, at + 1 + random.nextInt(8));
        return spliced(bytes, at, new byte[0], end);
      }
      default -> {
        byte[] other = corpus.get(random.nextInt(corpus.size()));
        return spliced(bytes, at, other, bytes.length);
      }
    }
    return bytes;
  }

  private static byte[] spliced(byte[] bytes, int to, byte[] middle, int from) {
    byte[] result = Arrays.copyOf(bytes, to + middle.length + bytes.length - from);
    System.arraycopy(middle, 0, result, to, middle.length);
    System.arraycopy(bytes, from, result, to + middle.length, bytes.length - from);
    return result;
  }

  /** The input many times over. */
  @Override
  public byte[] populate(byte[] input, SplittableRandom random) {
    int times = Math.max(1, Math.min(MOST_BYTES / Math.max(1, input.length), 8));
    byte[] result = new byte[input.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(input, 0, result, i * input.length, input.length);
    }
    return result;
  }

  /** Pieces of the same length, not too many of them. */
  @Override
  public List<byte[]> parts(byte[] input) {
    int length = Math.max(1, (input.length + MOST_PARTS - 1) / MOST_PARTS);
    List<byte[]> parts = new ArrayList<>();
    for (int at = 0; at < input.length; at += length) {
      parts.add(Arrays.copyOfRange(input, at, Math.min(input.length, at + length)));
    }
    return parts;
  }
}
