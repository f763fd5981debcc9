package dev.perdure.binary.plan;

import dev.perdure.binary.elf.ElfFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The PM libraries among the modules of a program, and what is loaded for their sake only. Where
 * their inside is trusted, these modules need not be observed: what they do to persistent memory is
 * known by the calls that lead into them.
 */
final class LibraryInternals {
  private static final Pattern TRUSTED = Pattern.compile("libpmem(2|obj)?\\.so.*");

  private final Map<String, Path> byName = new HashMap<>();
  private final Map<Path, List<String>> needed = new HashMap<>();

  private LibraryInternals(List<LoadedModules.Module> modules) throws IOException {
    for (LoadedModules.Module module : modules) {
      Optional<ElfFile> elf = ElfFile.read(module.path());
      byName.put(module.name(), module.path());
      needed.put(module.path(), elf.isPresent() ? elf.get().needed() : List.of());
    }
  }

  /** The modules that serve only the PM libraries, these among them. */
  static Set<Path> of(List<LoadedModules.Module> modules) throws IOException {
    LibraryInternals internals = new LibraryInternals(modules);
    List<Path> trusted =
        internals.needed.keySet().stream().filter(LibraryInternals::trusted).toList();
    Set<Path> theirs = internals.reachedFrom(trusted, true);
    List<Path> others =
        internals.needed.keySet().stream().filter(m -> !theirs.contains(m)).toList();
    theirs.removeAll(internals.reachedFrom(others, false));
    return theirs;
  }

  /** Whether it is one of the PM libraries themselves. */
  static boolean trusted(Path module) {
    return TRUSTED.matcher(module.getFileName().toString()).matches();
  }

  private Set<Path> reachedFrom(Collection<Path> roots, boolean throughTrusted) {
    Set<Path> reached = new HashSet<>(roots);
    Deque<Path> open = new ArrayDeque<>(roots);
    while (!open.isEmpty()) {
      for (Path next : neededBy(open.remove())) {
        if ((throughTrusted || !trusted(next)) && reached.add(next)) {
          open.add(next);
        }
      }
    }
    return reached;
  }

  private List<Path> neededBy(Path module) {
    List<Path> paths = new ArrayList<>();
    for (String name : needed.get(module)) {
      Path path = byName.get(name);
      if (path != null) {
        paths.add(path);
      }
    }
    return paths;
  }
}
