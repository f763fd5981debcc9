package dev.perdure.binary.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.llvm.toolchain.Toolchain;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The programs of src/test/resources/debug, built by a real compiler with real options. */
final class BuiltProgram {
  private static final List<String> SOURCES = List.of("shapes.cpp", "plain.c", "code.s");
  static final Toolchain TOOLCHAIN = toolchain();

  private BuiltProgram() {}

  private static Toolchain toolchain() {
    try {
      return Toolchain.find(CacheDirectory.of(System.getenv()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Builds in a folder; the first word of the command is {@code gcc} or {@code clang}. */
  static Path in(Path folder, String command) throws Exception {
    for (String name : List.of("shapes.cpp", "shapes.h", "plain.c", "code.s")) {
      try (InputStream in = BuiltProgram.class.getResourceAsStream("/debug/" + name)) {
        Files.write(folder.resolve(name), in.readAllBytes());
      }
    }
    List<String> options = new ArrayList<>(Arrays.asList(command.split(" ")));
    boolean clang = options.remove(0).equals("clang");
    List<String> objects = new ArrayList<>();
    for (String source : SOURCES) {
      List<String> words = compiler(clang, source.endsWith(".cpp"));
      words.addAll(source.endsWith(".s") ? ofAssembler(options) : options);
      words.addAll(List.of("-c", source, "-o", source + ".o"));
      run(folder, words);
      objects.add(source + ".o");
    }
    List<String> link = compiler(clang, true);
    link.addAll(options);
    link.addAll(objects);
    link.addAll(List.of("-o", "program"));
    run(folder, link);
    return folder.resolve("program");
  }

  private static List<String> ofAssembler(List<String> options) {
    return options.stream().anyMatch(o -> o.startsWith("-g")) ? List.of("-g") : List.of();
  }

  private static List<String> compiler(boolean clang, boolean cxx) {
    return new ArrayList<>(
        clang
            ? List.of(TOOLCHAIN.clang().toString(), "--driver-mode=" + (cxx ? "g++" : "gcc"))
            : List.of(cxx ? "g++" : "gcc"));
  }

  static void run(Path folder, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + "\n" + output).isZero();
  }
}
