package dev.perdure.llvm.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.llvm.Workbench;
import dev.perdure.model.code.Frame;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerDriverTest {
  private static final String STORE =
      "extern long *test_pm;\nvoid put(long v) {\n  test_pm[0] = v; // put\n}\n";
  private static final String MAIN =
      "void put(long);\nint main(void) {\n  put(5); // call\n  return 0;\n}\n";

  @TempDir Path folder;
  private Workbench bench;

  @BeforeEach
  void prepare() throws Exception {
    bench = new Workbench(folder);
    bench.write("store.c", STORE);
    bench.write("main.c", MAIN);
  }

  @Test
  void shouldCompileToBitcodeAndInstrumentAtTheLink() throws Exception {
    bench.build(Mode.C, "-c", "store.c");
    bench.build(Mode.C, "-c", "main.c", "-o", "main.o");
    assertThat(kind("store.o")).isEqualTo(InputKind.BITCODE);

    bench.build(Mode.C, "main.o", "store.o", "-o", "prog");

    assertThat(bench.hooks("prog", "store.c", true))
        .singleElement()
        .asString()
        .startsWith("put: store +0 size=8 order=0 value=5");
  }

  @Test
  void shouldTakeNamesAndLinesFromTheDebugInformation() throws Exception {
    bench.build(Mode.C, "-O0", "main.c", "store.c", "-o", "prog");

    assertThat(bench.sites("prog").sites())
        .anyMatch(site -> site.innermost().equals(new Frame("put", "store.c", 3)))
        .anyMatch(site -> site.innermost().equals(new Frame("main", "main.c", 3)));
  }

  @Test
  void shouldQualifyNamesAndKeepInlineChainsWithAndWithoutDebugOption() throws Exception {
    bench.write(
        "names.cpp",
        "extern long *test_pm;\n"
            + "namespace store { template <class T> struct Table {\n"
            + "  inline __attribute__((always_inline)) void put(T v) {\n"
            + "    *test_pm = v;\n"
            + "  }\n"
            + "}; }\n"
            + "int main() {\n"
            + "  store::Table<long>().put(3);\n"
            + "  return 0;\n"
            + "}\n");
    for (String debug : new String[] {"-g0", "-g"}) {
      bench.build(Mode.CXX, "-O1", debug, "names.cpp", "-o", "names");

      assertThat(bench.sites("names").sites())
          .anyMatch(
              site ->
                  site.frames().get(0).equals(new Frame("store::Table<long>::put", "names.cpp", 4))
                      && site.frames().get(1).equals(new Frame("main", "names.cpp", 8)));
    }
  }

  @Test
  void shouldLinkArchivesOfBitcodeWithAndWithoutSymbolTable() throws Exception {
    bench.build(Mode.C, "-c", "store.c");
    bench.run(bench.toolchain().archiver().toString(), "rcS", "libbare.a", "store.o");
    bench.run(bench.toolchain().archiver().toString(), "rcs", "libfull.a", "store.o");
    bench.run(bench.toolchain().archiver().toString(), "rcsT", "libthin.a", "store.o");
    for (String library : new String[] {"-lbare", "-lfull", "-l:libthin.a"}) {
      bench.build(Mode.C, "main.c", "-L.", library, "-o", "prog");

      assertThat(bench.hooks("prog", "store.c")).hasSize(1);
    }
  }

  @Test
  void shouldSplitArchivesWithBitcodeAndNativeMembers() throws Exception {
    bench.write("five.s", ".globl five\nfive:\n mov $5, %eax\n ret\n");
    bench.write("main.c", "void put(long);int five(void);\nint main(void) {\n  put(five());\n}\n");
    bench.build(Mode.C, "-c", "store.c", "five.s");
    assertThat(kind("five.o")).isEqualTo(InputKind.NATIVE);
    bench.run(bench.toolchain().archiver().toString(), "rcs", "libmixed.a", "store.o", "five.o");

    bench.build(
        Mode.C, "main.c", "-Wl,--whole-archive,libmixed.a,--no-whole-archive", "-o", "prog");

    assertThat(bench.hooks("prog", "store.c"))
        .containsExactly("put: store +0 size=8 order=0 value=5");
  }

  @Test
  void shouldKeepFunctionsThatOnlyNativeObjectsCall() throws Exception {
    bench.write("caller.s", ".globl caller\ncaller:\n mov $5, %edi\n jmp put\n");
    bench.write("main.c", "void caller(void);\nint main(void) {\n  caller();\n}\n");

    bench.build(Mode.C, "-O2", "main.c", "caller.s", "store.c", "-no-pie", "-o", "prog");

    assertThat(bench.hooks("prog", "store.c"))
        .containsExactly("put: store +0 size=8 order=0 value=5");
  }

  @Test
  void shouldInstrumentSharedLibrariesAsModulesOfTheirOwn() throws Exception {
    bench.build(Mode.C, "-fPIC", "-shared", "store.c", "-o", "libstore.so");
    bench.build(Mode.C, "main.c", "-L.", "-lstore", "-Wl,-rpath,$ORIGIN", "-o", "prog");

    Path log = folder.resolve("log");
    bench.run(java.util.Map.of("HOOKS", log.toString()), "./prog");

    assertThat(Files.readString(log)).startsWith("store +0 size=8 order=0 value=5");
    assertThat(bench.sites("libstore.so").sites())
        .extracting(site -> site.innermost().function())
        .containsOnly("put");
    assertThat(bench.sites("prog").sites())
        .extracting(site -> site.innermost().function())
        .containsOnly("main");
  }

  @Test
  void shouldReadResponseFilesAndStandardLinkerWords() throws Exception {
    bench.build(Mode.C, "-c", "store.c", "main.c");
    bench.write("objects", "main.o \"store.o\"\n-o 'the prog'");

    bench.build(Mode.C, "@objects", "-Wl,--start-group", "-lm", "-Wl,--end-group");

    assertThat(folder.resolve("the prog")).isExecutable();
  }

  @Test
  void shouldLinkWithVeryLongCommandLines() throws Exception {
    bench.build(Mode.C, "-c", "store.c", "main.c");
    StringBuilder arguments = new StringBuilder("main.o store.o -o prog");
    for (int i = 0; i < 4000; i++) {
      arguments.append(" -L\"/a folder/that/is/not there/").append(i).append('"');
    }
    bench.write("arguments", arguments.toString());

    bench.build(Mode.C, "@arguments");

    assertThat(bench.hooks("prog", "store.c")).hasSize(1);
  }

  @Test
  void shouldLinkAndOrderAtomicAccessesOfSixteenBytes() throws Exception {
    bench.write(
        "wide.cpp",
        "#include <atomic>\n"
            + "struct Pair { long a, b; };\n"
            + "extern long *test_pm;\n"
            + "int main() {\n"
            + "  auto *pair = reinterpret_cast<std::atomic<Pair> *>(test_pm);\n"
            + "  pair->store(Pair{1, 2}, std::memory_order_release);\n"
            + "  Pair seen = pair->load(std::memory_order_acquire);\n"
            + "  return seen.b == 2 ? 0 : 1;\n"
            + "}\n");

    bench.build(Mode.CXX, "-O1", "wide.cpp", "-o", "prog");

    assertThat(bench.hooks("prog", "wide.cpp"))
        .map(hook -> hook.substring(hook.indexOf(' ') + 1))
        .containsExactly(
            "atomic_store +8 size=8 order=1 value=2",
            "atomic_store +0 size=8 order=3 value=1",
            "atomic_load +0 size=8 order=2 value=1",
            "atomic_load +8 size=8 order=1 value=2");
  }

  @Test
  void shouldKeepTheSiteTableThroughStrippingAndSectionGarbageCollection() throws Exception {
    bench.build(Mode.C, "main.c", "store.c", "-s", "-Wl,--gc-sections", "-o", "prog");

    assertThat(bench.hooks("prog", "store.c")).hasSize(1);
  }

  @Test
  void shouldBuildTheSameProgramAsThePlainCompiler() throws Exception {
    bench.program("calls.cpp");
    bench.build(Mode.CXX, "-O2", "calls.cpp", "-o", "calls");

    assertThat(bench.run("./calls")).isEqualTo("caught deep\n");
  }

  @Test
  void shouldKeepBitcodeInRelocatableLinks() throws Exception {
    bench.build(Mode.C, "-c", "store.c", "main.c");
    bench.build(Mode.C, "-r", "-nostdlib", "store.o", "main.o", "-o", "both.o");
    assertThat(kind("both.o")).isEqualTo(InputKind.BITCODE);

    bench.build(Mode.C, "both.o", "-o", "prog");

    assertThat(bench.hooks("prog", "store.c", true)).hasSize(1);
  }

  @Test
  void shouldBuildProbesPlainly() throws Exception {
    bench.write("conftest.c", "int main(void) { return 0; }\n");
    bench.build(Mode.C, "-c", "conftest.c");
    bench.build(Mode.C, "conftest.o", "-o", "conftest");

    assertThat(kind("conftest.o")).isEqualTo(InputKind.NATIVE);
    assertThat(bench.run("readelf", "-d", "conftest")).doesNotContain("libperdure");
  }

  @Test
  void shouldPassQuestionsAndOtherOutputsThrough() throws Exception {
    bench.build(Mode.C, "-O1", "-S", "store.c", "-o", "store.s");

    assertThat(folder.resolve("store.s")).content().contains("put:").doesNotContain("perdure");
  }

  @Test
  void shouldRefuseStaticLinksInOneLine() throws Exception {
    assertThat(bench.drive(Mode.C, "-static", "main.c", "store.c", "-o", "prog")).isEqualTo(2);

    assertThat(bench.messages().lines())
        .singleElement()
        .asString()
        .contains("static linking is not supported")
        .contains("leave out -static");
  }

  @Test
  void shouldReportErrorsOfTheCompilerAndOfTheLinker() throws Exception {
    bench.write("bad.c", "int main( {\n");
    assertThat(bench.drive(Mode.C, "bad.c", "-o", "prog")).isEqualTo(1);
    assertThat(bench.messages()).contains("bad.c:1:11: error:");

    assertThat(bench.drive(Mode.C, "main.c", "-o", "prog")).isEqualTo(1);
    assertThat(bench.messages()).contains("undefined symbol: put");
  }

  @Test
  void shouldSurviveBrokenBitcode() throws Exception {
    Files.write(folder.resolve("broken.o"), new byte[] {'B', 'C', (byte) 0xc0, (byte) 0xde, 1, 2});

    assertThat(bench.drive(Mode.C, "broken.o", "-o", "prog")).isNotZero();
    assertThat(bench.messages()).contains("broken.o");
  }

  @Test
  void shouldNotMindOptionsOfOtherCompilers() throws Exception {
    bench.build(
        Mode.C,
        "-Wall",
        "-Werror",
        "-Wlogical-op",
        "-flto=auto",
        "-fuse-ld=bfd",
        "-I.",
        "main.c",
        "store.c",
        "-o",
        "prog");

    assertThat(bench.run("./prog")).isEmpty();
  }

  @Test
  void shouldWriteDependenciesOfTheProgram() throws Exception {
    bench.build(Mode.C, "-MMD", "main.c", "store.c", "-o", "prog");

    assertThat(folder.resolve("prog.d")).content().startsWith("prog:");
  }

  private InputKind kind(String file) throws Exception {
    return InputKind.ofFile(folder.resolve(file));
  }
}
