package dev.perdure.testkit.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds the programs and the plugin, and runs them under qemu-user. */
final class QemuRun {
  private final Path sources;
  private final Path folder;

  QemuRun(Path sources, Path folder) throws IOException {
    this.sources = sources.toAbsolutePath();
    this.folder = folder.toRealPath();
  }

  /** Builds a program without symbols, so that Perdure's sites are addresses. */
  Path build(List<String> compiler, String name, List<String> libraries)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(compiler);
    words.addAll(List.of("-s", sources.resolve(name + ".c").toString(), "-o", name));
    words.addAll(libraries);
    Commands.run(folder, words, Map.of());
    return folder.resolve(name);
  }

  /** What it does to its pool, by qemu. */
  QemuAccesses accesses(Path program, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path plugin = folder.resolve("pm_accesses.so");
    if (!Files.exists(plugin)) {
      String source = sources.resolve("pm_accesses.c").toString();
      Commands.run(
          folder,
          List.of("gcc", "-O2", "-shared", "-fPIC", source, "-o", plugin.toString()),
          Map.of());
    }
    String name = program.getFileName().toString();
    Path pool = folder.resolve(name + "-qemu-pool");
    Path seen = folder.resolve(name + "-qemu");
    Path quiet = folder.resolve(name + "-quiet");
    QuietFunctions.write(program, quiet);
    Path maps = folder.resolve(name + "-qemu-maps");
    Commands.run(
        folder,
        List.of(
            "qemu-x86_64",
            "-cpu",
            "max",
            "-plugin",
            plugin + ",pool=" + pool + ",quiet=" + quiet + ",out=" + seen,
            program.toString(),
            pool.toString(),
            maps.toString()),
        environment);
    return QemuAccesses.read(seen, MemoryMap.read(maps));
  }
}
