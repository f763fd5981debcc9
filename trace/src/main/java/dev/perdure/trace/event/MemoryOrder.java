package dev.perdure.trace.event;

/** Memory orders of accesses, as in perdure_trace.h. */
public final class MemoryOrder {
  public static final int PLAIN = 0;
  public static final int RELAXED = 1;
  public static final int ACQUIRE = 2;
  public static final int RELEASE = 3;
  public static final int ACQ_REL = 4;
  public static final int SEQ_CST = 5;
  public static final int VOLATILE = 6;

  private MemoryOrder() {}

  public static boolean acquires(int order) {
    return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
  }

  public static boolean releases(int order) {
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
  }

  /** Whether the access is atomic in the language's sense. */
  public static boolean atomic(int order) {
    return order >= RELAXED && order <= SEQ_CST;
  }

  /** The info byte of an access. */
  public static int info(int size, int order) {
    return size | order << 5;
  }
}
