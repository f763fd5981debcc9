package dev.perdure.llvm.instrument;

import java.util.List;
import java.util.Optional;

/**
 * Functions that a project's configuration names: its own locks, allocators and flush wrappers.
 * Names are plain, mangled, or demangled without parameters. Arguments are counted from 0.
 */
public record NamedFunctions(
    List<Lock> acquires,
    List<Lock> releases,
    List<Allocation> allocations,
    List<Release> frees,
    List<Range> flushes,
    List<String> fences,
    List<Range> persists) {

  public static final NamedFunctions NONE =
      new NamedFunctions(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  public NamedFunctions {
    acquires = List.copyOf(acquires);
    releases = List.copyOf(releases);
    allocations = List.copyOf(allocations);
    frees = List.copyOf(frees);
    flushes = List.copyOf(flushes);
    fences = List.copyOf(fences);
    persists = List.copyOf(persists);
  }

  /**
   * A function that takes or frees a lock.
   *
   * @param lockArgument which argument points to the lock
   * @param shared a lock for readers
   * @param success when the lock was taken; empty: always
   */
  public record Lock(String name, int lockArgument, boolean shared, Optional<Success> success) {}

  /** How a function that tries to take a lock says that it has. */
  public sealed interface Success {
    /** By its result. */
    record Result(long value) implements Success {}

    /** By what it writes where an argument points to: a boolean. */
    record OutArgument(int argument) implements Success {}
  }

  /**
   * A function that allocates persistent memory.
   *
   * @param sizeArgument which argument is the size
   * @param addressArgument which argument points to where the address is put; empty: the result
   * @param zeroed the memory comes zeroed and persistent
   */
  public record Allocation(
      String name, int sizeArgument, Optional<Integer> addressArgument, boolean zeroed) {}

  /** A function that frees persistent memory. */
  public record Release(String name, int addressArgument) {}

  /** A function that flushes, or flushes and fences, a range. */
  public record Range(String name, int addressArgument, int lengthArgument) {}

  public boolean isEmpty() {
    return equals(NONE);
  }
}
