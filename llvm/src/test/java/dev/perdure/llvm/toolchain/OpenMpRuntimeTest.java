package dev.perdure.llvm.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenMpRuntimeTest {
  @TempDir Path folder;
  private Path compiler;
  private Path system;
  private OpenMpRuntime runtime;

  @BeforeEach
  void prepare() throws IOException {
    compiler = folder.resolve("compiler");
    system = folder.resolve("llvm-14/lib");
    Files.createDirectories(compiler.resolve("lib/clang/19/include"));
    Files.createDirectories(system);
    runtime = new OpenMpRuntime(compiler, List.of(folder.resolve("nothing"), system));
  }

  @Test
  void shouldSayThatThereIsNone() throws IOException {
    Files.writeString(system.resolve("libother.so"), "");

    assertThat(runtime.provide()).isFalse();
  }

  @Test
  void shouldLinkAnInstalledOneToWhereTheCompilerLooks() throws IOException {
    install("library", "header");

    assertThat(runtime.provide()).isTrue();
    assertThat(compiler.resolve("lib/libomp.so")).hasContent("library");
    assertThat(compiler.resolve("lib/clang/19/include/omp.h")).hasContent("header");
    assertThat(runtime.provide()).isTrue();
  }

  @Test
  void shouldReplaceLinksToOneThatIsGone() throws IOException {
    Files.createSymbolicLink(compiler.resolve("lib/libomp.so"), folder.resolve("gone"));
    assertThat(runtime.provide()).isFalse();

    install("library", "header");

    assertThat(runtime.provide()).isTrue();
    assertThat(compiler.resolve("lib/libomp.so")).hasContent("library");
  }

  private void install(String library, String header) throws IOException {
    Files.writeString(system.resolve("libomp.so"), library);
    Path include = Files.createDirectories(system.resolve("clang/14.0.6/include"));
    Files.writeString(include.resolve("omp.h"), header);
  }
}
