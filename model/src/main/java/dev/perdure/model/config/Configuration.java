package dev.perdure.model.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The content of one {@code perdure.toml}.
 *
 * @param pmPaths files and directories whose mappings are persistent memory, as written
 * @param fuzz the table {@code [fuzz]} as it stands in the file, likewise {@code [crash]}
 */
public record Configuration(
    List<String> pmPaths,
    SyncFunctions sync,
    AllocatorFunctions allocators,
    FlushFunctions flush,
    List<Suppression> suppressions,
    Map<String, Object> fuzz,
    Map<String, Object> crash) {

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
    return !sync.equals(SyncFunctions.NONE)
        || !allocators.equals(AllocatorFunctions.NONE)
        || !flush.equals(FlushFunctions.NONE);
  }

  /** The same configuration with further suppressions ({@code --suppress}). */
  public Configuration with(List<Suppression> further) {
    List<Suppression> all = new ArrayList<>(suppressions);
    all.addAll(further);
    return new Configuration(pmPaths, sync, allocators, flush, all, fuzz, crash);
  }
}
