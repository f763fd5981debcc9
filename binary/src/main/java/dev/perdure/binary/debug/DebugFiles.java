package dev.perdure.binary.debug;

import dev.perdure.binary.elf.ElfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Finds debug information that is kept apart from its module, as distributions do: below {@code
 * /usr/lib/debug} by build-id, or by the name that {@code .gnu_debuglink} gives. A file is taken
 * only if it belongs to this very build.
 */
record DebugFiles(List<Path> roots) {
  static final DebugFiles OF_SYSTEM = new DebugFiles(List.of(Path.of("/usr/lib/debug")));

  /** The file with the debug information of a module: itself, or a detached one. */
  Optional<ObjectFile> of(ObjectFile module) throws IOException {
    if (module.hasUnits()) {
      return Optional.of(module);
    }
    Optional<String> id = module.elf().buildId();
    if (id.isPresent()) {
      Optional<ObjectFile> found = byBuildId(id.get());
      if (found.isPresent()) {
        return found;
      }
    }
    return byLink(module);
  }

  /** The file that {@code .gnu_debugaltlink} names: what several debug files share. */
  Optional<ObjectFile> sharedBy(ObjectFile file) throws IOException {
    ByteBuffer link = file.section(".gnu_debugaltlink");
    if (link.limit() == 0) {
      return Optional.empty();
    }
    String name = ElfFile.string(link, 0);
    int idFrom = name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length + 1;
    String id =
        HexFormat.of().formatHex(link.array(), Math.min(idFrom, link.limit()), link.limit());
    Path real = file.elf().path().toRealPath();
    return firstWith(id, path(name).stream().map(real::resolveSibling)).or(() -> byBuildId(id));
  }

  private Optional<ObjectFile> byBuildId(String id) {
    return id.length() < 4
        ? Optional.empty()
        : firstWith(
            id,
            roots.stream()
                .map(r -> r.resolve(".build-id/" + id.substring(0, 2)))
                .map(folder -> folder.resolve(id.substring(2) + ".debug")));
  }

  private static Optional<ObjectFile> firstWith(String buildId, Stream<Path> paths) {
    return paths
        .flatMap(path -> ObjectFile.open(path).stream())
        .filter(file -> hasBuildId(file, buildId))
        .findFirst();
  }

  private static boolean hasBuildId(ObjectFile file, String id) {
    ByteBuffer note = file.section(".note.gnu.build-id");
    return note.limit() > 16 && HexFormat.of().formatHex(note.array(), 16, note.limit()).equals(id);
  }

  private Optional<ObjectFile> byLink(ObjectFile module) throws IOException {
    ByteBuffer link = module.section(".gnu_debuglink");
    Optional<Path> name = path(ElfFile.string(link, 0));
    if (link.limit() < 8 || name.isEmpty()) {
      return Optional.empty();
    }
    int checksum = link.getInt(link.limit() - 4);
    Path folder = module.elf().path().toRealPath().getParent();
    List<Path> candidates = new ArrayList<>();
    candidates.add(folder.resolve(name.get()));
    candidates.add(folder.resolve(".debug").resolve(name.get()));
    for (Path root : roots) {
      candidates.add(root.resolve(folder.getRoot().relativize(folder)).resolve(name.get()));
    }
    for (Path candidate : candidates) {
      if (Files.isRegularFile(candidate) && checksum(candidate) == checksum) {
        return ObjectFile.open(candidate);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> path(String name) {
    try {
      return name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static int checksum(Path file) throws IOException {
    var crc = new CRC32();
    byte[] part = new byte[1 << 16];
    try (var in = Files.newInputStream(file)) {
      for (int n = in.read(part); n >= 0; n = in.read(part)) {
        crc.update(part, 0, n);
      }
    }
    return (int) crc.getValue();
  }
}
