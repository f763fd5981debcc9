package dev.perdure.binary.elf;

/** A program header: a part of the file that is mapped, or that the loader looks at. */
public record ElfSegment(
    int type, int flags, long offset, long address, long fileSize, long memorySize) {
  public static final int LOAD = 1;
  public static final int DYNAMIC = 2;
  public static final int INTERPRETER = 3;
  public static final int FLAG_EXECUTABLE = 1;
}
