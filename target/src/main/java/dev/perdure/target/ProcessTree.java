package dev.perdure.target;

import dev.perdure.trace.definition.TargetProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The target's processes, with the runtime or without it: those that descend from the main process,
 * and those that the runtime is in, wherever they have gone.
 */
final class ProcessTree {
  private static final int LOOK_ANYWAY = 10;

  /** Looks at a process that must all find it without the runtime. */
  private static final int SIGHTINGS = 2;

  /** The same for a child that is still what its parent is, and perhaps about to become another. */
  private static final int SIGHTINGS_OF_COPIES = 10;

  private final ProcessHandle main;
  private final FollowedProcesses followed;
  private final Map<Long, String> withoutRuntime = new LinkedHashMap<>();
  private final Map<Long, Integer> sightings = new LinkedHashMap<>();
  private Optional<String> newestSeen = Optional.empty();
  private boolean undecided;
  private int omitted;

  ProcessTree(ProcessHandle main, FollowedProcesses followed) {
    this.main = main;
    this.followed = followed;
  }

  void terminate() {
    all().forEach(ProcessHandle::destroy);
  }

  void kill() {
    all().forEach(ProcessHandle::destroyForcibly);
  }

  private Stream<ProcessHandle> all() {
    Stream<ProcessHandle> others =
        followed.live().stream()
            .map(TargetProcess::pid)
            .flatMap(pid -> ProcessHandle.of(pid).stream())
            .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()));
    return Stream.concat(Stream.concat(Stream.of(main), main.descendants()), others)
        .distinct()
        .filter(ProcessHandle::isAlive)
        .toList()
        .stream();
  }

  /**
   * Takes note of descendants that do not have the runtime; a new one gets time to load it. All
   * processes of the machine are looked through for that, so it is left out, nine times at most,
   * while no process or thread was started anywhere.
   */
  void lookForUnfollowed() {
    Optional<String> newest = SystemTask.newest();
    if (!undecided && newest.isPresent() && newest.equals(newestSeen) && ++omitted < LOOK_ANYWAY) {
      return;
    }
    newestSeen = newest;
    omitted = 0;
    undecided = false;
    main.descendants().filter(p -> !followed.contains((int) p.pid())).forEach(this::sight);
  }

  private void sight(ProcessHandle process) {
    int wanted = isCopyOfFollowed(process) ? SIGHTINGS_OF_COPIES : SIGHTINGS;
    if (sightings.merge(process.pid(), 1, Integer::sum) >= wanted) {
      withoutRuntime.put(process.pid(), process.info().command().orElse("a program"));
    } else {
      undecided = true;
    }
  }

  private boolean isCopyOfFollowed(ProcessHandle process) {
    Optional<String> command = process.info().command();
    return command.isPresent()
        && process
            .parent()
            .filter(p -> followed.contains((int) p.pid()))
            .flatMap(p -> p.info().command())
            .equals(command);
  }

  /** What was not followed, one sentence each. */
  List<String> unfollowed() {
    return withoutRuntime.entrySet().stream()
        .filter(e -> !followed.contains(e.getKey().intValue()))
        .map(e -> e.getValue() + " (process " + e.getKey() + "): the runtime was not loaded")
        .distinct()
        .toList();
  }
}
