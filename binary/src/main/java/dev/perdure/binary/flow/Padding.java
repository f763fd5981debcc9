package dev.perdure.binary.flow;

import dev.perdure.binary.decode.Decoder;
import dev.perdure.binary.decode.Instruction;

/** Instructions that do nothing: they fill the room between functions. */
public final class Padding {
  private Padding() {}

  /**
   * The length of the one at an address; 0 if there is another instruction.
   *
   * @param base the address of the first byte
   */
  public static int lengthAt(byte[] bytes, long base, long address) {
    int from = (int) (address - base);
    int at = from;
    while (at < bytes.length && (bytes[at] == 0x66 || bytes[at] == 0x2e)) {
      at++;
    }
    if (at < bytes.length && ((bytes[at] & 0xff) == 0x90 || (bytes[at] & 0xff) == 0xcc)) {
      return at + 1 - from;
    }
    boolean longOne = at + 1 < bytes.length && bytes[at] == 0x0f && bytes[at + 1] == 0x1f;
    return longOne ? new Decoder(bytes, base).at(address).map(Instruction::length).orElse(0) : 0;
  }
}
