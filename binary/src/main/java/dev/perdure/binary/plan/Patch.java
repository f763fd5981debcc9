package dev.perdure.binary.plan;

/**
 * A change of the original text.
 *
 * @param address what is overwritten
 * @param target a position in the copy; for a short jump the address of the long jump it leads to
 * @param before the first bytes that must be there
 * @param early whether it is made at once, and not only when there is persistent memory
 */
public record Patch(Kind kind, long address, long target, byte[] before, boolean early) {
  /** How the text is changed. */
  public enum Kind {
    /** Five bytes: a jump into the copy. */
    JUMP,
    /** Two bytes: a jump to a long one nearby. */
    SHORT_JUMP,
    /** The distance of a direct call: it goes to the copy of its function. */
    CALL,
    /** One byte: the processor traps, and the runtime goes on in the copy. */
    TRAP
  }

  /** The bytes that are overwritten. */
  public int length() {
    return switch (kind) {
      case JUMP -> 5;
      case SHORT_JUMP -> 2;
      case CALL -> 4;
      case TRAP -> 1;
    };
  }
}
