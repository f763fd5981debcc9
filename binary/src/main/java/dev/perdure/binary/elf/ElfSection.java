package dev.perdure.binary.elf;

/**
 * A section header.
 *
 * @param type SHT_*
 * @param flags SHF_*
 * @param address where it is loaded, relative to the module's base; 0 if it is not
 * @param offset where its bytes are in the file
 * @param link index of the section that its entries refer to, e.g. the string table of symbols
 */
public record ElfSection(
    String name, int type, long flags, long address, long offset, long size, int link) {
  public static final int TYPE_SYMBOLS = 2;
  public static final int TYPE_RELA = 4;
  public static final int TYPE_NO_BITS = 8;
  public static final int TYPE_DYNAMIC_SYMBOLS = 11;
  public static final long FLAG_ALLOCATED = 2;
  public static final long FLAG_EXECUTABLE = 4;
  public static final long FLAG_COMPRESSED = 0x800;

  public boolean executable() {
    return (flags & FLAG_EXECUTABLE) != 0;
  }

  public boolean allocated() {
    return (flags & FLAG_ALLOCATED) != 0;
  }

  public boolean compressed() {
    return (flags & FLAG_COMPRESSED) != 0;
  }

  public boolean contains(long at) {
    return at >= address && at - address < size;
  }
}
