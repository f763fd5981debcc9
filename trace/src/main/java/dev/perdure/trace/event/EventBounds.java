package dev.perdure.trace.event;

import dev.perdure.trace.format.Layout;
import java.util.Optional;

/**
 * What the numbers of an event can be in the trace of any program. A saved trace or a text may say
 * anything; analysis counts on these bounds, since its tables are as large as the numbers in them.
 */
public final class EventBounds {
  /** Numbers of threads are below. */
  public static final int THREADS = 1 << 24;

  /** The longest range, that of the whole window. */
  public static final long LONGEST = 1L << 44;

  /** The most bytes that an access goes through. */
  public static final long LONGEST_ACCESS = 1L << 32;

  private static final long ADDRESSES = 1L << Layout.ADDR_BITS;

  private EventBounds() {}

  /** What is wrong with an event, if anything is. */
  public static Optional<String> violation(
      int kind, int info, int thread, long address, int site, int stack, long value) {
    if (!isThread(thread)) {
      return Optional.of("no thread has the number " + Integer.toUnsignedString(thread));
    }
    if (!isWithin(address, ADDRESSES - 1)) {
      return Optional.of("0x" + Long.toHexString(address) + " is no address");
    }
    if (site < 0 || stack < 0) {
      return Optional.of("no site or stack has such a number");
    }
    return switch (kind) {
      case EventKind.LOAD, EventKind.RMW, EventKind.CAS_FAILED -> size(info, 16);
      case EventKind.STORE, EventKind.STORE_NT -> size(info, 8);
      case EventKind.STORE_BLOCK, EventKind.STORE_NT_BLOCK ->
          length(address, value, Layout.BLOCK_MAX);
      case EventKind.LOAD_BLOCK, EventKind.REGION_START -> length(address, value, LONGEST_ACCESS);
      case EventKind.FLUSH,
          EventKind.PERSIST,
          EventKind.MAP,
          EventKind.UNMAP,
          EventKind.PM_RANGE,
          EventKind.ALLOC,
          EventKind.FREE,
          EventKind.TX_ADD,
          EventKind.COMMIT_VAR,
          EventKind.COMMIT_RANGE,
          EventKind.SYNC_VAR ->
          length(address, value, LONGEST);
      case EventKind.THREAD_BEGIN -> either(threadNumber(address), threadNumber(value));
      case EventKind.THREAD_CREATE,
          EventKind.THREAD_JOIN,
          EventKind.THREAD_DETACH,
          EventKind.PROCESS_FORK ->
          threadNumber(value);
      case EventKind.PROCESS_BEGIN ->
          isWithin(value, Layout.MAX_PROCESSES)
              ? Optional.empty()
              : Optional.of("no process has the number " + Long.toUnsignedString(value));
      default -> Optional.empty();
    };
  }

  private static boolean isWithin(long number, long most) {
    return number >= 0 && number <= most;
  }

  private static boolean isThread(long number) {
    return isWithin(number, THREADS - 1);
  }

  private static Optional<String> either(Optional<String> a, Optional<String> b) {
    return a.isPresent() ? a : b;
  }

  private static Optional<String> threadNumber(long value) {
    return isThread(value)
        ? Optional.empty()
        : Optional.of("no thread has the number " + Long.toUnsignedString(value));
  }

  private static Optional<String> size(int info, int most) {
    int size = info & 31;
    return size >= 1 && size <= most
        ? Optional.empty()
        : Optional.of("no such access has " + size + " bytes");
  }

  private static Optional<String> length(long address, long length, long most) {
    return isWithin(length, Math.min(most, ADDRESSES - address))
        ? Optional.empty()
        : Optional.of("nothing there has a length of " + Long.toUnsignedString(length));
  }
}
