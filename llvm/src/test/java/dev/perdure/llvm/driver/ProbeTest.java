package dev.perdure.llvm.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeTest {

  @ParameterizedTest
  @CsvSource({
    "/src, conftest.c -o conftest, true",
    "/src, -c conftest1.cpp, true",
    "/b/CMakeFiles/CMakeScratch/TryCompile-x, -c src.c, true",
    "/b/CMakeFiles/CMakeTmp, -c src.c, true",
    "/b/CMakeFiles/3.25.1/CompilerIdC, CMakeCCompilerId.c, true",
    "/b, meson-out/meson-private/sanitycheckc.c, true",
    "/b, /b/meson-private/tmp1/testfile.c -o out, true",
    "/src, config-temp/probe.c -o config-temp/probe, true",
    "/src, a.c -o /dev/null, true",
    "/src, main.c -o prog, false",
    "/src, tests/conftest_like.c, false",
    "/b/CMakeFiles, -c main.c, false",
  })
  void shouldTellProbesFromPrograms(String folder, String words, boolean probe) {
    var invocation = new Invocation(Mode.C, ArgumentReader.read(List.of(words.split(" "))));

    assertThat(Probe.isProbe(invocation, Path.of(folder))).isEqualTo(probe);
  }
}
