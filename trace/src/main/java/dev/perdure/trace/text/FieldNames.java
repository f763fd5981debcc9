package dev.perdure.trace.text;

import dev.perdure.trace.event.EventInfo;
import dev.perdure.trace.event.EventKind;
import java.util.List;

/** The words that the text form has for an event's numbers. */
final class FieldNames {
  static final List<String> ORDERS =
      List.of("plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst", "volatile");
  static final List<String> OPERATIONS = List.of("other", "exchange", "cas");
  static final List<String> LOCK_FLAGS = List.of("shared", "no_fence", "try", "owner_died");

  private static final List<String> FLUSHES = List.of("clwb", "clflushopt", "clflush", "library");
  private static final List<String> FENCES =
      List.of("sfence", "mfence", "locked", "drain", "acquire", "release", "acq_rel");
  private static final List<String> REGIONS = List.of("load", "store");
  private static final List<String> EFFECTS = List.of("store", "file");
  private static final List<String> PERSISTS = List.of("library", "msync", "fsync", "deep");

  private FieldNames() {}

  /** Whether the info byte is a size and a memory order. */
  static boolean isAccess(int kind) {
    return switch (kind) {
      case EventKind.LOAD,
          EventKind.STORE,
          EventKind.STORE_NT,
          EventKind.RMW,
          EventKind.CAS_FAILED ->
          true;
      default -> false;
    };
  }

  /** Whether the info byte is flags of {@link EventInfo}. */
  static boolean isLock(int kind) {
    return kind == EventKind.ACQUIRE || kind == EventKind.RELEASE;
  }

  /** The words for the info byte where it is an enumeration, else none. */
  static List<String> ways(int kind) {
    return switch (kind) {
      case EventKind.FLUSH -> FLUSHES;
      case EventKind.FENCE -> FENCES;
      case EventKind.PERSIST -> PERSISTS;
      case EventKind.EFFECT -> EFFECTS;
      case EventKind.REGION_START -> REGIONS;
      default -> List.of();
    };
  }

  /** What the address is called; a number that is no address is written in decimal. */
  static String address(int kind) {
    return kind == EventKind.THREAD_BEGIN ? "creator" : "addr";
  }

  /** What the value is called. */
  static String value(int kind) {
    return switch (kind) {
      case EventKind.LOAD_BLOCK,
          EventKind.STORE_BLOCK,
          EventKind.STORE_NT_BLOCK,
          EventKind.FLUSH,
          EventKind.PERSIST,
          EventKind.MAP,
          EventKind.UNMAP,
          EventKind.PM_RANGE,
          EventKind.ALLOC,
          EventKind.FREE,
          EventKind.TX_ADD,
          EventKind.COMMIT_VAR,
          EventKind.COMMIT_RANGE,
          EventKind.SYNC_VAR,
          EventKind.REGION_START ->
          "length";
      case EventKind.THREAD_BEGIN,
          EventKind.THREAD_CREATE,
          EventKind.THREAD_JOIN,
          EventKind.PROCESS_FORK ->
          "thread";
      case EventKind.PROCESS_BEGIN -> "process";
      case EventKind.BARRIER_INIT -> "count";
      case EventKind.RMW -> "op";
      default -> "value";
    };
  }

  /** The eight-byte words of a payload; block stores have bytes, read-modify-writes two values. */
  static List<String> payload(int kind) {
    return switch (kind) {
      case EventKind.MAP -> List.of("file", "offset", "prot", "flags");
      case EventKind.COMMIT_RANGE -> List.of("var");
      case EventKind.SYNC_VAR -> List.of("initial");
      case EventKind.EFFECT -> List.of("length");
      default -> List.of();
    };
  }
}
