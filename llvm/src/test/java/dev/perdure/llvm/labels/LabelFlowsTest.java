package dev.perdure.llvm.labels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.Workbench;
import dev.perdure.llvm.driver.CompilerDriver;
import dev.perdure.llvm.driver.DriverEnvironment;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.llvm.driver.ProgramVariant;
import dev.perdure.llvm.toolchain.CacheDirectory;
import dev.perdure.model.config.Configuration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The variant of a program with the runtime that it has under Perdure. */
class LabelFlowsTest {
  private static final int NONE = 0;
  private static final int A = 7;
  private static final int B = 9;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O1", "-O2"})
  void shouldCarryLabelsWithTheDataAndNothingElse(String level) throws Exception {
    Map<String, Integer> expected = new TreeMap<>();
    expect(expected, A, "arithmetic", "floating point", "truncated", "phi", "select", "loop");
    expect(expected, A, "byte", "read-modify-write", "content by address", "content of a store");
    expect(expected, A, "result of a call", "call by pointer", "structure", "returned structure");
    expect(expected, A, "copied structure", "variable argument", "memcpy", "memmove", "strcpy");
    expect(expected, A, "strcat, before", "strlen", "snprintf", "qsort");
    expect(expected, B, "compare-exchange", "variable argument on the stack", "memset", "strtol");
    expect(expected, B, "sscanf", "strdup");
    expect(expected, NONE, "overwritten", "branch only", "element beside", "byte beside");
    expect(expected, NONE, "address of a store", "other argument", "argument unused");
    expect(expected, NONE, "other variable argument", "behind memmove", "behind strcpy");
    expect(expected, NONE, "strcat, behind", "beside in a returned structure");
    expect(expected, A, "structure returned twice", "structure on one of two ways");
    expect(expected, A, "through longjmp");
    expect(expected, NONE, "nothing through longjmp", "beside in a structure returned twice");
    expect(expected, NONE, "beside in a structure on one of two ways");

    assertThat(labels(run(level))).isEqualTo(expected);
  }

  private static void expect(Map<String, Integer> expected, int label, String... names) {
    List.of(names).forEach(name -> expected.put(name, label));
  }

  private String run(String level) throws Exception {
    Workbench bench = new Workbench(folder);
    bench.program("label_flows.c");
    DriverEnvironment environment =
        new DriverEnvironment(
            Path.of(System.getProperty("perdure.home")),
            folder,
            CacheDirectory.of(System.getenv()),
            System.getenv(),
            System.err,
            Configuration.EMPTY);
    List<String> arguments = List.of(level, "label_flows.c", "-o", "label_flows");
    assertThat(new CompilerDriver(environment).run(Mode.C, arguments)).isZero();
    String dump = ProgramVariant.SECTION + "=" + folder.resolve("section");
    bench.run("objcopy", "--dump-section", dump, "label_flows", "/dev/null");
    byte[] section = Files.readAllBytes(folder.resolve("section"));
    return bench.run(
        new ProgramVariant(environment, ProgramVariant.Kind.LABELLED)
            .of(section, "label_flows")
            .toString());
  }

  private static Map<String, Integer> labels(String output) {
    Map<String, Integer> labels = new TreeMap<>();
    for (String line : output.lines().filter(l -> l.contains(": ")).toList()) {
      String[] words = line.split(": ");
      labels.put(words[0], Integer.valueOf(words[1]));
    }
    return labels;
  }
}
