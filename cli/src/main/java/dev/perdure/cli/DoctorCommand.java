package dev.perdure.cli;

import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import dev.perdure.model.config.Configuration;
import dev.perdure.target.ClockSource;
import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what this machine has and lacks for Perdure, and the effective configuration. */
@Command(
    name = "doctor",
    description = "What this machine has and lacks for Perdure; the effective configuration.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  private static final List<Path> LIBRARY_FOLDERS =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu"),
          Path.of("/usr/lib64"),
          Path.of("/usr/local/lib"),
          Path.of("/usr/lib"));

  @Option(names = "--config", paramLabel = "FILE", description = "project configuration")
  private Path config;

  @Parameters(
      arity = "0..1",
      paramLabel = "PROGRAM",
      description =
          "a plain program or library: how it and its libraries are patched, and what is not observed")
  private String program;

  private boolean lacking;

  @Override
  public Integer call() throws IOException {
    if (program != null) {
      FrontEnd frontEnd = FrontEnd.ofModule(program, Project.configuration(config));
      if (frontEnd.coverage().isEmpty()) {
        System.out.println(
            program
                + ": is not patched, it has hooks of its own, belongs to the C library or is a script");
      } else {
        PatchTable.print(frontEnd, System.out);
      }
      return 0;
    }
    Home home = Home.ofLauncher();
    line("perdure", Version.NUMBER + " in " + home.path());
    line("java", Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
    runtime(home);
    toolchain();
    processor();
    sharedMemory();
    libraries();
    configuration();
    System.out.println(lacking ? "Something is lacking, see above." : "Nothing is lacking.");
    return 0;
  }

  private void runtime(Home home) {
    try {
      line("runtime", home.runtimeLibrary().toString());
    } catch (CommandFailure e) {
      lack("runtime", e.getMessage());
    }
  }

  private void toolchain() {
    try {
      Toolchain toolchain = Toolchain.find(CacheDirectory.of(System.getenv()));
      line("compiler", toolchain.clang().toString());
      line("linker", toolchain.linker().toString());
    } catch (IOException e) {
      lack("compiler", "cannot be unpacked: " + e.getMessage());
    }
  }

  private void processor() throws IOException {
    Set<String> flags = Set.of();
    for (String l : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
      if (l.startsWith("flags")) {
        flags = Set.of(l.substring(l.indexOf(':') + 1).strip().split("\\s+"));
        break;
      }
    }
    Set<String> all = flags;
    String has =
        Stream.of("clflush", "clflushopt", "clwb")
            .filter(all::contains)
            .collect(Collectors.joining(", "));
    if (has.isEmpty()) {
      lack("flushes", "this processor has no clflush");
    } else {
      line("flushes", has);
    }
    line(
        "clock",
        ClockSource.choose() == Layout.CLOCK_TSC
            ? "cycle counter"
            : "shared counter: the cycle counter is not synchronised here, recording is slower");
  }

  private void sharedMemory() {
    try {
      long free = Files.getFileStore(Path.of("/dev/shm")).getUsableSpace();
      line(
          "/dev/shm",
          (free >> 20)
              + " MB free"
              + (free < 256L << 20 ? "; rings go to the run directory instead" : ""));
    } catch (IOException e) {
      line("/dev/shm", "not there; rings go to the run directory instead");
    }
  }

  private void libraries() {
    for (String name : List.of("libpmem.so.1", "libpmem2.so.1", "libpmemobj.so.1")) {
      boolean there = LIBRARY_FOLDERS.stream().anyMatch(f -> Files.exists(f.resolve(name)));
      line(name, there ? "installed" : "not installed (needed only by programs that use it)");
    }
  }

  private void configuration() {
    var found = Project.configurationFile(config);
    Configuration c = Project.configuration(config);
    line("configuration", found.map(Path::toString).orElse("none (no perdure.toml here)"));
    if (found.isPresent()) {
      line("  pm paths", c.pmPaths().isEmpty() ? "none" : String.join(", ", c.pmPaths()));
      line(
          "  sync",
          "%d acquire, %d release, %d try, %d create, %d join"
              .formatted(
                  c.sync().acquire().size(),
                  c.sync().release().size(),
                  c.sync().attempt().size(),
                  c.sync().create().size(),
                  c.sync().join().size()));
      line(
          "  allocators",
          "%d alloc, %d free"
              .formatted(c.allocators().alloc().size(), c.allocators().free().size()));
      line("  suppressions", String.valueOf(c.suppressions().size()));
    }
  }

  private static void line(String what, String text) {
    System.out.printf("%-16s %s%n", what, text);
  }

  private void lack(String what, String text) {
    lacking = true;
    line(what, "LACKING: " + text);
  }
}
