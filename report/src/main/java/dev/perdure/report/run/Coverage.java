package dev.perdure.report.run;

import java.util.List;

/**
 * What of the target was observed.
 *
 * @param frontend {@code llvm} or {@code binary}
 * @param modules instrumented executables and libraries
 * @param sites instrumented places
 * @param uncovered accesses, and functions that are not understood, that are not observed
 * @param gaps where these are, a line for each module and kind
 * @param unfollowed programs and mappings that were not followed, with the reason
 */
public record Coverage(
    String frontend,
    int modules,
    long sites,
    long uncovered,
    List<String> gaps,
    List<String> unfollowed) {
  public static final Coverage NONE = new Coverage("llvm", 0, 0, 0, List.of(), List.of());

  public Coverage {
    gaps = List.copyOf(gaps);
    unfollowed = List.copyOf(unfollowed);
  }
}
