package dev.perdure.model.config;

import java.util.List;

/** The project's own synchronisation functions: {@code [sync]}. */
public record SyncFunctions(
    List<LockFunction> acquire,
    List<LockFunction> release,
    List<TryFunction> attempt,
    List<ThreadFunction> create,
    List<ThreadFunction> join) {

  public static final SyncFunctions NONE =
      new SyncFunctions(List.of(), List.of(), List.of(), List.of(), List.of());

  public SyncFunctions {
    acquire = List.copyOf(acquire);
    release = List.copyOf(release);
    attempt = List.copyOf(attempt);
    create = List.copyOf(create);
    join = List.copyOf(join);
  }
}
