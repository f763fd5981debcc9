package dev.perdure.binary.decode;

/**
 * The general registers that the encoding of an instruction names.
 *
 * @param page which opcodes it is of: 0 those of one byte, 1 those behind 0F; else -1
 * @param extension the reg field of the ModRM byte as a part of the opcode
 * @param field the register of the reg field
 * @param rm the register of the r/m field, or -1 if that is memory
 * @param embedded the register in the opcode's last three bits
 * @param size bytes of an operand: 2, 4 or 8
 * @param upperBytes whether byte registers 4 to 7 are the upper halves of words
 */
public record RegisterOperands(
    int page, int extension, int field, int rm, int embedded, int size, boolean upperBytes) {
  public boolean oneByte() {
    return page == 0;
  }

  public boolean twoBytes() {
    return page == 1;
  }

  /** Whether the r/m field, taken as a byte, is the upper half of a word. */
  public boolean byteIsUpper() {
    return upperBytes && rm >= 4 && rm < 8;
  }
}
