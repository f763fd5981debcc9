package dev.perdure.binary.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries stand for the real ones: libpmemobj needs deep, deep needs deeper. */
class LibraryInternalsTest {
  @TempDir Path folder;

  private void library(String name, String... needed) throws Exception {
    link(name + ".so", List.of("-shared", "-fPIC", "-Wl,-soname," + name + ".so"), needed);
  }

  private void link(String output, List<String> options, String... needed) throws Exception {
    Path source = folder.resolve("empty.c");
    Files.writeString(source, "int main(void) { return 0; }\n");
    List<String> command = new ArrayList<>(List.of("gcc", source.toString(), "-o", output));
    command.addAll(options);
    command.addAll(List.of("-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN"));
    for (String library : needed) {
      command.add("./" + library + ".so");
    }
    command.add("-Wl,--allow-shlib-undefined");
    assertThat(new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start().waitFor())
        .isZero();
  }

  private Set<String> internals() throws IOException, InterruptedException {
    ElfFile program = ElfFile.read(folder.resolve("program")).orElseThrow();
    Set<String> names = new TreeSet<>();
    LibraryInternals.of(LoadedModules.of(program, Map.of("LD_LIBRARY_PATH", folder.toString())))
        .forEach(p -> names.add(p.getFileName().toString()));
    return names;
  }

  @Test
  void shouldBeThePmLibrariesAndWhatOnlyTheyNeed() throws Exception {
    library("libdeeper");
    library("libdeep", "libdeeper");
    library("libpmemobj", "libdeep");
    library("libown");
    link("program", List.of(), "libpmemobj", "libown");

    assertThat(internals()).containsExactly("libdeep.so", "libdeeper.so", "libpmemobj.so");
  }

  @Test
  void shouldNotBeWhatOthersNeedAsWell() throws Exception {
    library("libdeeper");
    library("libdeep", "libdeeper");
    library("libpmemobj", "libdeep");
    library("libown", "libdeeper");
    link("program", List.of(), "libpmemobj", "libown");

    assertThat(internals()).containsExactly("libdeep.so", "libpmemobj.so");
  }

  @Test
  void shouldBeNothingInAProgramWithoutPmLibraries() throws Exception {
    library("libown");
    link("program", List.of(), "libown");

    assertThat(internals()).isEmpty();
  }
}
