package dev.perdure.testkit.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what the plugin {@code pm_accesses.c} wrote. */
final class QemuAccesses {
  private QemuAccesses() {}

  static AccessSet read(Path file, MemoryMap map, Path pool) throws IOException {
    var accesses = new AccessSet();
    String poolPath = pool.toRealPath().toString();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        add(line.split(" "), map, poolPath, accesses);
      }
    }
    return accesses;
  }

  private static void add(String[] words, MemoryMap map, String pool, AccessSet to)
      throws IOException {
    AccessKind kind = AccessKind.valueOf(words[0].toUpperCase(Locale.ROOT));
    boolean accesses = kind == AccessKind.LOAD || kind == AccessKind.STORE;
    OptionalLong offset =
        accesses ? map.inPool(Long.parseUnsignedLong(words[2], 16), pool) : OptionalLong.of(0);
    Optional<MemoryMap.Place> pc = map.instruction(Long.parseUnsignedLong(words[1], 16));
    if (offset.isPresent() && pc.isPresent() && ObservedModules.have(pc.get().path())) {
      to.add(
          new AccessSet.Key(ObservedModules.name(pc.get().path()), pc.get().address(), kind),
          offset.getAsLong(),
          Long.parseUnsignedLong(words[3], 16));
    }
  }
}
