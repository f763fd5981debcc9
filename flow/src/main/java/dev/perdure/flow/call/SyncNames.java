package dev.perdure.flow.call;

import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.FlushFunctions;
import dev.perdure.model.config.SyncFunctions;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The functions that the configuration names, by what it says of them. */
public final class SyncNames {
  private final Set<String> acquiring = new HashSet<>();
  private final Set<String> others = new HashSet<>();
  private final Map<String, String> readableNames;

  /**
   * @param readableNames mangled names of the module with their demangled forms
   */
  public SyncNames(Configuration configuration, Map<String, String> readableNames) {
    this.readableNames = readableNames;
    SyncFunctions sync = configuration.sync();
    sync.acquire().forEach(f -> acquiring.add(f.function()));
    sync.attempt().forEach(f -> acquiring.add(f.function()));
    sync.join().forEach(f -> acquiring.add(f.function()));
    sync.release().forEach(f -> others.add(f.function()));
    sync.create().forEach(f -> others.add(f.function()));
    FlushFunctions flush = configuration.flush();
    flush.flush().forEach(f -> others.add(f.function()));
    flush.persist().forEach(f -> others.add(f.function()));
    others.addAll(flush.fence());
  }

  /** Whether the configuration says something of the function. */
  public boolean isKnown(String function) {
    return acquires(function) || has(others, function);
  }

  /** Whether it says that the function acquires. */
  public boolean acquires(String function) {
    return has(acquiring, function);
  }

  private boolean has(Set<String> names, String function) {
    return names.contains(function)
        || !names.isEmpty() && names.contains(readableNames.getOrDefault(function, function));
  }
}
