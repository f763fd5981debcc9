package dev.perdure.binary.elf;

/**
 * A symbol that is defined in the file.
 *
 * @param name as it stands there, mangled
 * @param info binding in the upper, type in the lower four bits
 */
public record ElfSymbol(String name, int info, long address, long size) {
  private static final int FUNCTION = 2;
  private static final int INDIRECT_FUNCTION = 10;

  public boolean function() {
    int type = info & 15;
    return type == FUNCTION || type == INDIRECT_FUNCTION;
  }
}
