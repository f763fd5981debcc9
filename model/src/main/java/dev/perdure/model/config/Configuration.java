package dev.perdure.model.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The content of one {@code perdure.toml}.
 *
 * @param pmPaths files and directories whose mappings are persistent memory, as written
 * @param fuzz options of the command fuzz by their names, as they would be typed; likewise crash
 */
public record Configuration(
    List<String> pmPaths,
    SyncFunctions sync,
    AllocatorFunctions allocators,
    FlushFunctions flush,
    List<Suppression> suppressions,
    Map<String, String> fuzz,
    Map<String, String> crash) {

  /** What holds where there is no file. */
  public static final Configuration EMPTY =
      new Configuration(
          List.of(),
          SyncFunctions.NONE,
          AllocatorFunctions.NONE,
          FlushFunctions.NONE,
          List.of(),
          Map.of(),
          Map.of());

  public Configuration {
    pmPaths = List.copyOf(pmPaths);
    suppressions = List.copyOf(suppressions);
    fuzz = Map.copyOf(fuzz);
    crash = Map.copyOf(crash);
  }

  /** Whether it names any function of the program. */
  public boolean namesFunctions() {
    return !functionNames().isEmpty();
  }

  /** The functions of the program whose calls are recorded. */
  public SortedSet<String> functionNames() {
    SortedSet<String> names = new TreeSet<>();
    sync.acquire().forEach(f -> names.add(f.function()));
    sync.release().forEach(f -> names.add(f.function()));
    sync.attempt().forEach(f -> names.add(f.function()));
    sync.create().forEach(f -> names.add(f.function()));
    sync.join().forEach(f -> names.add(f.function()));
    allocators.alloc().forEach(f -> names.add(f.function()));
    allocators.free().forEach(f -> names.add(f.function()));
    flush.flush().forEach(f -> names.add(f.function()));
    flush.persist().forEach(f -> names.add(f.function()));
    names.addAll(flush.fence());
    return names;
  }

  /** The same configuration with further suppressions ({@code --suppress}). */
  public Configuration with(List<Suppression> further) {
    List<Suppression> all = new ArrayList<>(suppressions);
    all.addAll(further);
    return new Configuration(pmPaths, sync, allocators, flush, all, fuzz, crash);
  }
}
