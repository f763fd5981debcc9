package dev.perdure.report.run;

import java.util.List;

/**
 * What of the target was observed.
 *
 * @param frontend {@code llvm} or {@code binary}
 * @param modules instrumented executables and libraries
 * @param sites instrumented places
 * @param uncovered accesses that could not be instrumented
 * @param unfollowed programs and mappings that were not followed, with the reason
 */
public record Coverage(
    String frontend, int modules, long sites, long uncovered, List<String> unfollowed) {
  public static final Coverage NONE = new Coverage("llvm", 0, 0, 0, List.of());

  public Coverage {
    unfollowed = List.copyOf(unfollowed);
  }
}
