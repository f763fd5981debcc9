package dev.perdure.testkit.oracle;

import dev.perdure.trace.definition.ModuleSites;
import dev.perdure.trace.file.TraceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs programs of one thread under qemu-user with a plugin and under {@code perdure run --frontend
 * binary}, and compares what both saw of their pools. Exit code: 0 the same, 1 differences, 2 wrong
 * usage.
 */
@Command(
    name = "oracle",
    description = "Compares what Perdure records of plain binaries with what qemu sees.",
    sortOptions = false)
public final class OracleMain implements Callable<Integer> {
  private static final int SHOWN = 20;

  /** CPU features and copying strategies that both sides have. */
  private static final Map<String, String> PINNED =
      Map.of(
          "PMEM_IS_PMEM_FORCE", "1",
          "PMEM_AVX", "0",
          "PMEM_AVX512F", "0",
          "PMEM_NO_CLWB", "1",
          "PMEM_NO_CLFLUSHOPT", "1",
          "GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F_Usable,-AVX2_Usable,-AVX_Usable,-ERMS");

  @Option(names = "--sources", paramLabel = "DIR", description = "default testkit/src/oracle")
  private Path sources = Path.of("testkit/src/oracle");

  @Option(names = "--perdure", paramLabel = "PATH", description = "the launcher; default ./perdure")
  private Path perdure = Path.of("perdure");

  @Option(names = "--cc", paramLabel = "COMMAND", description = "default gcc -O1")
  private String compiler = "gcc -O1";

  private final PrintStream out;

  OracleMain(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    System.exit(new CommandLine(new OracleMain(System.out)).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!Files.isDirectory(sources)) {
      System.err.println("oracle: no such folder: " + sources);
      return 2;
    }
    Path folder = Files.createTempDirectory("oracle-").toRealPath();
    boolean same = true;
    for (List<String> program : List.of(List.of("mapped"), List.of("transactions", "-lpmemobj"))) {
      same &= compare(folder, program.get(0), program.subList(1, program.size()));
    }
    if (same) {
      delete(folder);
    } else {
      out.println("what both saw is in " + folder);
    }
    return same ? 0 : 1;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private boolean compare(Path folder, String name, List<String> libraries)
      throws IOException, InterruptedException {
    var qemu = new QemuRun(sources, folder);
    Path program = qemu.build(List.of(compiler.strip().split("\\s+")), name, libraries);
    QemuAccesses seen = qemu.accesses(program, PINNED);
    AccessSet recorded = recorded(folder, program);
    List<String> missing = seen.outside().without(recorded);
    List<String> extra = recorded.without(seen.all());
    out.printf(
        "%s: qemu saw %d instructions, perdure %d; missing %d, only recorded %d%n",
        name, seen.outside().instructions(), recorded.instructions(), missing.size(), extra.size());
    missing.stream().limit(SHOWN).forEach(line -> out.println("  missing " + line));
    extra.stream().limit(SHOWN).forEach(line -> out.println("  only recorded " + line));
    return missing.isEmpty() && extra.isEmpty();
  }

  private AccessSet recorded(Path folder, Path program) throws IOException, InterruptedException {
    Path run = folder.resolve(program.getFileName() + "-run");
    Path pool = folder.resolve(program.getFileName() + "-pool");
    List<String> words = new ArrayList<>(List.of(perdure.toAbsolutePath().toString(), "run"));
    words.addAll(List.of("--frontend", "binary", "--inside-libraries", "--fail-on", "never"));
    words.addAll(List.of("--quiet", "--out", run.toString(), "--pm", pool.toString(), "--"));
    words.addAll(
        List.of(program.toString(), pool.toString(), folder.resolve("ignored").toString()));
    Commands.run(folder, words, PINNED);
    try (TraceFile trace = TraceFile.open(run.resolve("trace"))) {
      Map<String, Path> modules = new HashMap<>();
      for (ModuleSites module : trace.modules()) {
        modules.put(ObservedModules.name(module.path()), Path.of(module.path()));
      }
      return RecordedAccesses.read(trace, modules);
    }
  }
}
