package dev.perdure.trace.definition;

import dev.perdure.trace.format.Layout;

/**
 * A process of the target that the runtime is in.
 *
 * <p>What records have for equality is put together at run time: this is faster for short runs.
 *
 * @param flags PROCESS_* of {@link Layout}
 */
public record TargetProcess(int pid, int parent, int flags, String executable) {
  /** An entry of the table that its process never finished. */
  public static final TargetProcess NONE = new TargetProcess(0, 0, 0, "");

  @Override
  public boolean equals(Object other) {
    return other instanceof TargetProcess process
        && pid == process.pid
        && parent == process.parent
        && flags == process.flags
        && executable.equals(process.executable);
  }

  @Override
  public int hashCode() {
    return 31 * pid + executable.hashCode();
  }

  public boolean instrumented() {
    return (flags & Layout.PROCESS_INSTRUMENTED) != 0;
  }

  public boolean mappedPm() {
    return (flags & Layout.PROCESS_MAPPED_PM) != 0;
  }

  /** Whether it has replaced itself by another program. */
  public boolean execed() {
    return (flags & Layout.PROCESS_EXECED) != 0;
  }

  /** Whether it came to its end by itself, not by a signal. */
  public boolean ended() {
    return (flags & Layout.PROCESS_ENDED) != 0;
  }

  /** Whether a PM file could not be mapped into the window. */
  public boolean mapFailed() {
    return (flags & Layout.PROCESS_MAP_FAILED) != 0;
  }
}
