package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The C program of the tests, compiled against the runtime. */
final class TestProgram {
  static final Path HOME = Path.of(System.getProperty("perdure.home"));
  static final Path RUNTIME = HOME.resolve("native/build/libperdure.so");

  private TestProgram() {}

  static Path compile(Path folder, String... options) throws Exception {
    Path program = folder.resolve("target");
    List<String> command =
        new ArrayList<>(
            List.of(
                "gcc",
                "-O1",
                "-pthread",
                "-I" + HOME.resolve("native/include"),
                "-o",
                program.toString(),
                Path.of(TestProgram.class.getResource("/programs/target.c").toURI()).toString(),
                "-L" + RUNTIME.getParent(),
                "-Wl,-rpath," + RUNTIME.getParent(),
                "-lperdure"));
    command.addAll(1, Arrays.asList(options));
    Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(gcc.getInputStream().readAllBytes());
    assertThat(gcc.waitFor()).as(output).isZero();
    return program;
  }
}
