package dev.perdure.testkit.oracle;

import dev.perdure.binary.elf.ElfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the modules of a process were mapped, from a copy of its {@code /proc/self/maps}. */
final class MemoryMap {
  private static final Pattern LINE =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) \\S+ ([0-9a-f]+) \\S+ \\d+\\s+(/.*)");

  private final List<Mapping> mappings = new ArrayList<>();
  private final Map<String, Long> bases = new HashMap<>();

  private record Mapping(long from, long to, long offset, String path) {
    boolean contains(long address) {
      return address >= from && address < to;
    }
  }

  /** An instruction in a module, by the addresses of its file. */
  record Place(String path, long address) {}

  static MemoryMap read(Path file) throws IOException {
    var map = new MemoryMap();
    for (String line : Files.readAllLines(file)) {
      Matcher parts = LINE.matcher(line);
      if (parts.matches()) {
        map.mappings.add(
            new Mapping(
                Long.parseUnsignedLong(parts.group(1), 16),
                Long.parseUnsignedLong(parts.group(2), 16),
                Long.parseUnsignedLong(parts.group(3), 16),
                parts.group(4)));
      }
    }
    return map;
  }

  /** The instruction at an address, if a file is mapped there. */
  Optional<Place> instruction(long pc) throws IOException {
    Optional<Mapping> at = mappings.stream().filter(m -> m.contains(pc)).findFirst();
    return at.isEmpty()
        ? Optional.empty()
        : Optional.of(new Place(at.get().path, pc - base(at.get().path)));
  }

  private long base(String path) throws IOException {
    Long known = bases.get(path);
    if (known == null) {
      boolean fixed = ElfFile.read(Path.of(path)).map(ElfFile::fixedAddress).orElse(false);
      known =
          fixed
              ? 0
              : mappings.stream()
                  .filter(m -> m.path.equals(path) && m.offset == 0)
                  .mapToLong(Mapping::from)
                  .min()
                  .orElse(0);
      bases.put(path, known);
    }
    return known;
  }
}
