package dev.perdure.trace.file;

/** Constants of the saved trace. All numbers in it are little endian. */
final class TraceFormat {
  /** "PERDTRC" and a zero byte. */
  static final long MAGIC = 0x0043525444524550L;

  static final int VERSION = 2;

  /** Magic, version, and four bytes that are zero. */
  static final int FILE_HEADER = 16;

  /** Type, length, stored length, checksum. */
  static final int CHUNK_HEADER = 16;

  static final int METADATA = 1;
  static final int MODULE = 2;
  static final int STACKS = 3;
  static final int FILES = 4;
  static final int PROCESSES = 5;
  static final int EVENTS = 6;
  static final int END = 7;
  static final int SITES = 8;

  /** Why a writer left events out. */
  static final int STOPPED_NOT = 0;

  static final int STOPPED_BY_LIMIT = 1;
  static final int STOPPED_BY_FAILURE = 2;

  /** LZ4 cannot shrink more than this; a chunk that claims so is damaged. */
  static final int LARGEST_RATIO = 255;

  private TraceFormat() {}
}
