package dev.perdure.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Perdure's command line as a process of its own, as users have it. */
public record PerdureProcess(Path directory) {

  public record Result(int exit, String out, String err) {
    String lastLine() {
      String[] lines = err.strip().split("\n");
      return lines[lines.length - 1];
    }
  }

  public Result run(String... words) throws IOException, InterruptedException {
    return await(start(words));
  }

  /** Runs it where no file can grow beyond so many kibibytes, as on a full disk. */
  Result runWithSmallFiles(int kibibytes, String... words)
      throws IOException, InterruptedException {
    return await(
        start(List.of("bash", "-c", "ulimit -f " + kibibytes + "; exec \"$@\"", "-"), words));
  }

  /** Runs it with so little memory for itself. */
  Result runWithSmallHeap(int megabytes, String... words) throws IOException, InterruptedException {
    String option = "JAVA_TOOL_OPTIONS=-Xmx" + megabytes + "m";
    return await(start(List.of("env", option), words));
  }

  Process start(String... words) throws IOException {
    return start(List.of(), words);
  }

  /** Starts it with processes of its own, as a terminal does. */
  Process startInSession(String... words) throws IOException {
    return start(List.of("setsid"), words);
  }

  /**
   * Sends all processes of a session what a Ctrl-C in its terminal sends them, but for the number.
   */
  static void interruptSession(Process leader) throws IOException, InterruptedException {
    new ProcessBuilder("bash", "-c", "kill -TERM -- -" + leader.pid()).start().waitFor();
  }

  private Process start(List<String> before, String... words) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(
        List.of(
            "-Dperdure.home=" + System.getProperty("perdure.home"),
            "-cp",
            classPath(),
            "dev.perdure.cli.Main"));
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("out.txt").toFile())
            .redirectError(directory.resolve("err.txt").toFile());
    builder.environment().put("XDG_CACHE_HOME", cache().toString());
    return builder.start();
  }

  /** The tests' own instead of the user's; kept between them, since it holds the compiler. */
  private static Path cache() {
    return Path.of(System.getProperty("perdure.home"), "cli/build/cache");
  }

  Result await(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("perdure was still running after two minutes: " + text("err.txt"));
    }
    return new Result(process.exitValue(), text("out.txt"), text("err.txt"));
  }

  /** Builds one of the programs in the test resources. */
  Path build(String name) throws IOException, InterruptedException {
    Path program = directory.resolve(name);
    Path source =
        Path.of(System.getProperty("perdure.home"), "cli/src/test/resources/programs", name + ".c");
    Result built = run("cc", "-g", "-O1", "-pthread", source.toString(), "-o", program.toString());
    if (built.exit() != 0) {
      throw new IOException("perdure cc failed: " + built.err());
    }
    return program;
  }

  /** The same for one of the two front ends: with perdure cc, or with a plain compiler. */
  Path build(String name, String frontEnd) throws IOException, InterruptedException {
    if (frontEnd.equals("llvm")) {
      return build(name);
    }
    Path home = Path.of(System.getProperty("perdure.home"));
    String source =
        Files.readString(home.resolve("cli/src/test/resources/programs/" + name + ".c"));
    String include = "-I" + home.resolve("native/include");
    return compile("gcc", source, name, "-g", "-O1", "-pthread", include);
  }

  /** Builds a program, or with -shared a library, with a plain compiler. */
  Path compile(String compiler, String source, String name, String... options)
      throws IOException, InterruptedException {
    boolean cpp = compiler.endsWith("++");
    Path file = directory.resolve(name + (cpp ? ".cpp" : ".c"));
    Files.writeString(file, source);
    List<String> command = new ArrayList<>(List.of(compiler, file.toString(), "-o", name));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException(compiler + " failed");
    }
    return directory.resolve(name);
  }

  private String text(String file) throws IOException {
    return Files.readString(directory.resolve(file), StandardCharsets.UTF_8);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
