package dev.perdure.llvm;

import dev.perdure.llvm.driver.CompilerDriver;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import dev.perdure.model.code.SiteTable;
import dev.perdure.model.config.Configuration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A folder to build and run programs in. Its runtime is the hook printer of the test programs,
 * which writes down every hook that is called.
 */
public final class Workbench {
  private final Path folder;
  private final Path home;
  private final Toolchain toolchain;
  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

  public Workbench(Path folder) throws Exception {
    this.folder = folder;
    this.home = folder.resolve("home");
    this.toolchain = Toolchain.find(CacheDirectory.of(System.getenv()));
    Path sources = Path.of(System.getProperty("perdure.home"), "native/include");
    Files.createDirectories(home.resolve("native/build"));
    Files.createDirectories(home.resolve("native/include"));
    for (String header : List.of("perdure_hooks.h", "perdure_trace.h")) {
      Files.copy(sources.resolve(header), home.resolve("native/include").resolve(header));
    }
    Path printer = program("hook_printer.c");
    run(
        toolchain.clang().toString(),
        "-shared",
        "-fPIC",
        "-I" + sources,
        "--ld-path=" + toolchain.linker(),
        printer.toString(),
        "-o",
        home.resolve("native/build/libperdure.so").toString());
  }

  public Path folder() {
    return folder;
  }

  public Toolchain toolchain() {
    return toolchain;
  }

  /** Copies a test program into the folder. */
  public Path program(String name) throws IOException {
    try (var in = Workbench.class.getResourceAsStream("/programs/" + name)) {
      return write(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  public Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Runs the driver; what it says is in {@link #messages}. */
  public int drive(Mode mode, String... arguments) throws IOException {
    return drive(Configuration.EMPTY, mode, arguments);
  }

  public int drive(Configuration configuration, Mode mode, String... arguments) throws IOException {
    messages.reset();
    var environment =
        new DriverEnvironment(
            home,
            folder,
            CacheDirectory.of(System.getenv()),
            System.getenv(),
            new PrintStream(messages, true, StandardCharsets.UTF_8),
            configuration);
    return new CompilerDriver(environment).run(mode, List.of(arguments));
  }

  /** Runs the driver, which must succeed. */
  public void build(Mode mode, String... arguments) throws IOException {
    int exit = drive(mode, arguments);
    if (exit != 0) {
      throw new AssertionError("exit code " + exit + ": " + messages());
    }
  }

  public String messages() {
    return messages.toString(StandardCharsets.UTF_8);
  }

  /** Runs a command in the folder, which must succeed, and returns its output. */
  public String run(String... command) throws Exception {
    return run(Map.of(), command);
  }

  public String run(Map<String, String> variables, String... command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    if (exit != 0) {
      throw new AssertionError(String.join(" ", command) + ": exit code " + exit + "\n" + output);
    }
    return output;
  }

  /** The sites of a program that was built here. */
  public SiteTable sites(String program) throws Exception {
    Path table = folder.resolve(program + ".sites");
    run("objcopy", "--dump-section", ".perdure.sites=" + table, program, "/dev/null");
    return SiteTable.fromBytes(Files.readAllBytes(table));
  }

  /**
   * Runs a program and returns the hooks that it called. A hook's line of source is named by the
   * comment at its end, so a result looks like {@code plain-word: store +0 size=8 …}.
   */
  public List<String> hooks(String program, String source) throws Exception {
    return hooks(program, source, false);
  }

  /** With {@code stacks}, the names of the callers' lines stand in brackets. */
  public List<String> hooks(String program, String source, boolean stacks) throws Exception {
    Path log = folder.resolve(program + ".hooks");
    run(Map.of("HOOKS", log.toString()), "./" + program);
    Map<Integer, String> labels = labels(folder.resolve(source));
    SiteTable sites = sites(program);
    List<String> hooks = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      int open = line.lastIndexOf('[');
      int close = line.lastIndexOf(']');
      String label = label(sites, labels, line.substring(close + 2));
      StringBuilder hook = new StringBuilder(label + ": " + line.substring(0, open).trim());
      if (stacks) {
        List<String> callers = new ArrayList<>();
        for (String site : line.substring(open + 1, close).split(",")) {
          callers.add(site.isEmpty() ? "" : label(sites, labels, site));
        }
        hook.append(" from ").append(String.join(" ", callers));
      }
      hooks.add(hook.toString());
    }
    return hooks;
  }

  private static String label(SiteTable sites, Map<Integer, String> labels, String number) {
    int line = sites.sites().get(Integer.parseInt(number)).innermost().line();
    return labels.getOrDefault(line, Integer.toString(line));
  }

  private static Map<Integer, String> labels(Path source) throws IOException {
    Map<Integer, String> labels = new HashMap<>();
    List<String> lines = Files.readAllLines(source);
    for (int i = 0; i < lines.size(); i++) {
      int comment = lines.get(i).indexOf("// ");
      if (comment >= 0) {
        labels.put(i + 1, lines.get(i).substring(comment + 3).trim());
      }
    }
    return labels;
  }
}
