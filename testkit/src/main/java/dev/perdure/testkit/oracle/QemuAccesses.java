package dev.perdure.testkit.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What the plugin {@code pm_accesses.c} wrote.
 *
 * @param outside what was seen outside of functions that Perdure records as a whole
 * @param all what was seen anywhere
 */
record QemuAccesses(AccessSet outside, AccessSet all) {
  private static final String QUIET = "quiet-";

  static QemuAccesses read(Path file, MemoryMap map) throws IOException {
    var accesses = new QemuAccesses(new AccessSet(), new AccessSet());
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        accesses.add(line, map);
      }
    }
    return accesses;
  }

  private void add(String line, MemoryMap map) throws IOException {
    boolean quiet = line.startsWith(QUIET);
    String[] words = line.substring(quiet ? QUIET.length() : 0).split(" ");
    Optional<MemoryMap.Place> pc = map.instruction(Long.parseUnsignedLong(words[1], 16));
    if (pc.isEmpty() || !ObservedModules.have(pc.get().path())) {
      return;
    }
    var key =
        new AccessSet.Key(
            ObservedModules.name(pc.get().path()),
            pc.get().address(),
            AccessKind.valueOf(words[0].toUpperCase(Locale.ROOT)));
    long offset = Long.parseUnsignedLong(words[2], 16);
    long size = Long.parseUnsignedLong(words[3], 16);
    all.add(key, offset, size);
    if (!quiet) {
      outside.add(key, offset, size);
    }
  }
}
