package dev.perdure.llvm.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.Workbench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts in bin: everything but links works without {@code perdure}, which needs a JVM. */
class CompilerScriptsTest {
  @TempDir Path folder;
  private Workbench bench;
  private Path home;

  @BeforeEach
  void prepare() throws Exception {
    bench = new Workbench(folder);
    home = folder.resolve("home");
    Path perdure = Files.writeString(home.resolve("perdure"), "#!/bin/sh\necho perdure \"$@\"\n");
    assertThat(perdure.toFile().setExecutable(true)).isTrue();
    bench.write("a.c", "#include <immintrin.h>\nint main(void) { return 0; }\n");
    bench.write("a.cpp", "#include <vector>\nint main() { return std::vector<int>().size(); }\n");
    bench.write("conftest.c", "int main(void) { return 0; }\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.c -o prog",
        "-O2 a.o -lm",
        "-include stdio.h a.c",
        "@arguments",
        "-MD -MF a.h a.c"
      })
  void shouldCallPerdureForLinks(String arguments) throws Exception {
    assertThat(script("perdure-cc", arguments)).isEqualTo("perdure cc " + arguments + "\n");
    assertThat(script("perdure-c++", arguments)).isEqualTo("perdure c++ " + arguments + "\n");
  }

  @Test
  void shouldCompileToBitcodeByItself() throws Exception {
    assertThat(script("perdure-cc", "-c a.c -o a.o")).isEmpty();
    assertThat(script("perdure-c++", "-O2 -flto=auto -c a.cpp -o b.o")).isEmpty();

    assertThat(InputKind.ofFile(folder.resolve("a.o"))).isEqualTo(InputKind.BITCODE);
    assertThat(InputKind.ofFile(folder.resolve("b.o"))).isEqualTo(InputKind.BITCODE);
  }

  @Test
  void shouldKeepCallsOfFunctionsThatTheConfigurationNames() throws Exception {
    bench.write(
        "perdure.toml",
        """
        [pm]
        paths = ["unnamed"]
        [sync] # ours
        acquire = ["absent",
                   {function = "named", lock = 0}]
        """);
    bench.write(
        "b.c",
        """
        static void named(int *p) { ++*p; }
        static void unnamed(int *p) { --*p; }
        void f(int *p) { named(p); unnamed(p); }
        """);
    assertThat(script("perdure-cc", "-O2 -c b.c -o b.o")).isEmpty();

    assertThat(script("perdure-nm", "b.o")).contains(" t named").doesNotContain("unnamed");
  }

  @Test
  void shouldAnswerQuestionsAndBuildProbesByItself() throws Exception {
    assertThat(script("perdure-cc", "--version")).contains("clang version");
    assertThat(script("perdure-cc", "-dumpmachine")).contains("x86_64");
    assertThat(script("perdure-cc", "-E a.c")).contains("int main");
    assertThat(script("perdure-cc", "-o conftest conftest.c -lm")).isEmpty();
    assertThat(bench.run("./conftest")).isEmpty();
  }

  @Test
  void shouldBuildTheProbesOfCmakePlainly() throws Exception {
    Path probe = Files.createDirectories(folder.resolve("CMakeFiles/CMakeScratch/TryCompile-1"));
    Files.writeString(probe.resolve("test.c"), "int main(void) { return 0; }\n");
    bench.run(
        Map.of("PERDURE_HOME", home.toString()),
        "sh",
        "-c",
        "cd %s && %s test.c -o test && ./test".formatted(probe, bin("perdure-cc")));
  }

  @Test
  void shouldOfferTheArchiver() throws Exception {
    script("perdure-cc", "-c a.c -o a.o");

    script("perdure-ar", "rcs liba.a a.o");
    script("perdure-ranlib", "liba.a");

    assertThat(Archive.read(folder.resolve("liba.a")).hasBitcode()).isTrue();
  }

  private String script(String name, String arguments) throws Exception {
    return bench.run(
        Map.of("PERDURE_HOME", home.toString()), "sh", "-c", bin(name) + " " + arguments);
  }

  private static Path bin(String name) {
    return Path.of(System.getProperty("perdure.home"), "bin", name);
  }
}
