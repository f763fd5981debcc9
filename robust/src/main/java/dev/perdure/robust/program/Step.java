package dev.perdure.robust.program;

import java.util.List;

/**
 * One thing that a function does and that persistence depends on. Steps of the same instruction
 * have numbers of their own; {@link Program#instruction} leads back.
 */
public sealed interface Step {

  /** Its number in the program. */
  int id();

  /** How a store writes. */
  enum Manner {
    PLAIN,
    /** Another thread may see it at once, and may rely on what came before. */
    ATOMIC,
    /** A locked read-modify-write: a fence, an atomic load and an atomic store. */
    EXCHANGE,
    /** Past the caches: needs a fence, no flush. */
    NON_TEMPORAL,
    /** By the same call as the write before it: neither waits for the other. */
    BESIDE
  }

  /**
   * A store to memory that may be persistent.
   *
   * @param stored the reference that is stored, or {@link Values#NONE}
   * @param relaxed whether it stands in a relaxed block
   */
  record Write(int id, Place place, int stored, Manner manner, boolean relaxed) implements Step {}

  /** An atomic load of memory that may be persistent. */
  record AtomicRead(int id, Place place, boolean relaxed) implements Step {}

  /** A reference is stored in ordinary memory, or handed to code that may keep it. */
  record Publication(int id, int reference) implements Step {}

  /** Something is loaded from an object that may be new. */
  record Fetch(int id, int reference) implements Step {}

  /**
   * What is visible so far may be relied on by another thread from here on.
   *
   * @param fences whether the operation itself is a fence, before it takes effect
   */
  record Release(int id, String what, boolean fences) implements Step {}

  /** An exception may leave the function here; a release has come before. */
  record Unwinding(int id) implements Step {}

  /** A fence, or an operation that contains one. */
  record Fence(int id) implements Step {}

  /**
   * The program's own flush.
   *
   * @param ordered whether it needs no fence
   */
  record Flush(int id, Place place, boolean ordered) implements Step {}

  /**
   * Memory may be unmapped: a line of it cannot be flushed any more. That goes also for lines that
   * the program notes or holds where nothing asks for it.
   */
  record Disposal(int id) implements Step {}

  /** A new object that nothing else refers to. */
  record Allocation(int id, int reference) implements Step {}

  /** A reference that is one of others. */
  record Copy(int id, int target, List<Integer> sources) implements Step {
    public Copy {
      sources = List.copyOf(sources);
    }
  }

  /** A value is computed anew: locations that mention its old one are out of reach. */
  record Definition(int id, int value) implements Step {}

  /**
   * A call of a function of the program.
   *
   * @param arguments for each parameter the reference that is passed, with the distance from it
   * @param result the value that holds the result, or {@link Values#NONE}
   * @param landing the block where an exception is caught or cleaned up after, or {@link
   *     Values#NONE}
   */
  record Call(int id, int routine, List<Location> arguments, int result, int landing)
      implements Step {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * The end of a function: what others can see must be persistent, or known to the caller.
   *
   * @param returned the reference that is returned, or {@link Values#NONE}
   * @param last whether the process ends here
   */
  record Exit(int id, int returned, boolean last) implements Step {}

  /**
   * Control goes back to the caller.
   *
   * @param returned where the result points to; {@link Location#ELSEWHERE} if it is no reference
   */
  record Return(int id, Location returned) implements Step {}
}
