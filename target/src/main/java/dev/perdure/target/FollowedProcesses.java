package dev.perdure.target;

import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.live.LiveSymbols;
import dev.perdure.trace.live.Liveness;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The processes that the runtime is in, and which of them still live. */
final class FollowedProcesses implements Liveness {
  private final LiveSymbols symbols;
  private final Map<Integer, Long> startByPid = new HashMap<>();
  private final BitSet seen = new BitSet();

  FollowedProcesses(LiveSymbols symbols) {
    this.symbols = symbols;
  }

  /** Takes note of new processes; to be called often, so that a reused number is told apart. */
  synchronized void observe() {
    List<TargetProcess> all = symbols.processes();
    for (int i = seen.nextClearBit(0); i < all.size(); i = seen.nextClearBit(i + 1)) {
      int pid = all.get(i).pid();
      if (pid != 0) {
        seen.set(i);
        startByPid.put(pid, SystemTask.process(pid).map(SystemTask::started).orElse(-1L));
      }
    }
  }

  /** Whether a process has announced itself, or a parent its child, and is not listed yet. */
  boolean expectsMore() {
    return symbols.processes().contains(TargetProcess.NONE);
  }

  /** Whether there is one process, and never was another. */
  boolean isSingle() {
    return symbols.processes().size() == 1;
  }

  synchronized boolean contains(int pid) {
    return startByPid.containsKey(pid);
  }

  /** The latest entry of a process: one that replaced itself has several. */
  Optional<TargetProcess> entry(int pid) {
    return symbols.processes().stream().filter(p -> p.pid() == pid).reduce((a, b) -> b);
  }

  /** The processes that still run. */
  synchronized List<TargetProcess> live() {
    List<TargetProcess> live = new ArrayList<>();
    for (int pid : startByPid.keySet()) {
      if (alive(pid)) {
        entry(pid).ifPresent(live::add);
      }
    }
    return live;
  }

  private boolean alive(int pid) {
    Optional<SystemTask> task = SystemTask.process(pid);
    return task.isPresent()
        && task.get().started() == startByPid.getOrDefault(pid, task.get().started())
        && (!task.get().dead() || SystemTask.hasLiveThreads(pid));
  }

  @Override
  public synchronized State of(int pid, int tid) {
    if (!alive(pid)) {
      return State.GONE;
    }
    Optional<SystemTask> task = SystemTask.thread(pid, tid);
    if (task.isEmpty() || task.get().dead()) {
      return State.GONE;
    }
    // A program that was replaced has no threads any more, though others have their numbers.
    boolean replaced = entry(pid).map(TargetProcess::execed).orElse(false);
    return replaced || task.get().asleep() ? State.ASLEEP : State.RUNNING;
  }

  /**
   * The signal behind a status over 128 of the Java platform, which does not tell the two apart.
   */
  OptionalInt signalOf(int pid, int status) {
    boolean exited = entry(pid).map(TargetProcess::ended).orElse(false);
    int signal = status - 128;
    return !exited && signal > 0 && signal <= 64 ? OptionalInt.of(signal) : OptionalInt.empty();
  }
}
