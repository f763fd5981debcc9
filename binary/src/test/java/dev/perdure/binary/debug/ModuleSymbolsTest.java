package dev.perdure.binary.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSymbol;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModuleSymbolsTest {
  @TempDir Path folder;

  private static ElfSymbol symbol(Path program, String name) throws Exception {
    return ElfFile.read(program).orElseThrow().symbols().stream()
        .filter(s -> s.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Site> everyByteOf(ElfSymbol function, Path program) {
    return java.util.stream.LongStream.range(0, function.size())
        .mapToObj(i -> function.address() + i)
        .map(ModuleSymbols.open(program)::siteAt)
        .toList();
  }

  @Test
  void shouldUnfoldInlineChainsInnermostFirst() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -g -O2");

    List<Frame> chain =
        everyByteOf(symbol(program, "plain"), program).stream()
            .map(Site::frames)
            .filter(frames -> frames.get(0).function().equals("square"))
            .findFirst()
            .orElseThrow();

    assertThat(chain).extracting(Frame::function).containsExactly("square", "plain");
    assertThat(chain).extracting(Frame::fileName).containsExactly("shapes.h", "plain.c");
    assertThat(chain.get(1).line()).isEqualTo(20);
    assertThat(chain).extracting(Frame::module).containsOnly("program");
  }

  /** The functions and lines of accesses that are placed elsewhere than their instructions. */
  private List<String> moved(String function, String source) throws Exception {
    return moved(function, source, "");
  }

  /**
   * @param forgotten the beginning of lines that are taken out of the compiler's assembly
   */
  private List<String> moved(String function, String source, String forgotten) throws Exception {
    Files.writeString(folder.resolve("merged.c"), source);
    String clang = BuiltProgram.TOOLCHAIN.clang().toString();
    BuiltProgram.run(
        folder, List.of(clang, "-g", "-O1", "-fPIC", "-S", "merged.c", "-o", "merged.s"));
    Path assembly = folder.resolve("merged.s");
    List<String> kept =
        Files.readAllLines(assembly).stream()
            .filter(line -> forgotten.isEmpty() || !line.strip().startsWith(forgotten))
            .toList();
    Files.write(assembly, kept);
    BuiltProgram.run(folder, List.of(clang, "-shared", "merged.s", "-o", "merged.so"));
    Path library = folder.resolve("merged.so");
    ElfSymbol code = symbol(library, function);
    ModuleSymbols symbols = ModuleSymbols.open(library);
    return java.util.stream.LongStream.range(code.address(), code.address() + code.size())
        .filter(a -> !symbols.siteAt(a).equals(symbols.accessAt(a)))
        .mapToObj(a -> chain(symbols.siteAt(a)) + " to " + chain(symbols.accessAt(a)))
        .distinct()
        .toList();
  }

  private static String chain(Site site) {
    return site.frames().stream()
        .map(f -> f.function() + ":" + f.line())
        .collect(java.util.stream.Collectors.joining(" "));
  }

  @Test
  void shouldPlaceLoadsMergedWithTheUseOfAResultInTheInlinedFunction() throws Exception {
    List<String> moved =
        moved(
            "poll",
            """
            int *cell;
            void enter(void), leave(void);
            static int get(void) {
              enter();
              int value = *cell;
              leave();
              return value;
            }
            int poll(void) {
              while (get() == 0) {}
              return 1;
            }
            """);

    assertThat(moved).containsExactly("poll:10 to get:5 poll:10");
  }

  @Test
  void shouldPlaceMergedLoadsBeforeFunctionsInlinedIntoTheInlinedOne() throws Exception {
    List<String> moved =
        moved(
            "poll",
            """
            int *cell, turn;
            static void leave(void) {
              __atomic_store_n(&turn, turn + 1, __ATOMIC_RELEASE);
            }
            static int get(void) {
              int value = *cell;
              leave();
              return value;
            }
            int poll(void) {
              while (get() == 0) {}
              return 1;
            }
            """);

    assertThat(moved).containsExactly("poll:11 to get:6 poll:11");
  }

  @Test
  void shouldPlaceMergedLoadsBeforeStoresThatHaveLostTheirLine() throws Exception {
    String program =
        """
        long *cell;
        int word;
        static long get(void) {
          long value = *cell;
          __atomic_exchange_n(&word, 0, __ATOMIC_RELEASE);
          return value;
        }
        int poll(void) {
          while (get() == 0) {}
          return 1;
        }
        """;

    assertThat(moved("poll", program, ".loc\t0 5 ")).containsExactly("poll:9 to get:4 poll:9");
    assertThat(
            moved(
                "poll",
                program
                    .replace("value = *", "*value = ")
                    .replace("long get", "long *get")
                    .replace("get() ==", "*get() =="),
                ".loc\t0 5 "))
        .isEmpty();
  }

  @Test
  void shouldPlaceLoadsBeforeTheCallThatTheirTestFollows() throws Exception {
    List<String> moved =
        moved(
            "poll",
            """
            long *cell;
            void enter(void), leave(void);
            static int both(void) {
              enter();
              long value = *cell;
              leave();
              enter();
              long more = *cell;
              leave();
              return value != 0 && more != 0;
            }
            int poll(void) {
              while (!both()) {}
              return 1;
            }
            """);

    assertThat(moved).containsExactly("both:10 poll:13 to both:5 poll:13");
  }

  @Test
  void shouldFindFunctionsInTheSourceThatLeftNothingButTheirLoad() throws Exception {
    String program =
        """
        long *cell;
        void enter(void), leave(void);
        // peek() { return 1; }
        static inline long peek(const long *from) {
          return *from; /* ; */
        }
        long plain(void) { return 0; }
        int poll(void) {
          long value = 0;
          while (value == 0) {
            enter();
            value = peek(cell);
            leave();
          }
          return 1;
        }
        """;

    assertThat(moved("poll", program)).containsExactly("poll:10 to peek:5 poll:12");
    assertThat(moved("poll", program.replace("return *from;", "++cell; return *from;")))
        .doesNotContain("poll:10 to peek:5 poll:12");
    assertThat(moved("poll", program.replace("peek(cell)", "*cell + 0 * sizeof(plain())")))
        .containsExactly("poll:10 to poll:12");
  }

  @Test
  void shouldQualifyNamesByClassesAndNamespaces() throws Exception {
    Path program = BuiltProgram.in(folder, "clang -g -O0");

    Site get =
        ModuleSymbols.open(program)
            .siteAt(symbol(program, "_ZNK5outer12_GLOBAL__N_17Counter3getEv").address());

    assertThat(get.innermost().function()).isEqualTo("outer::(anonymous namespace)::Counter::get");
  }

  @Test
  void shouldGiveLinesToInstructionsWithoutLines() throws Exception {
    Path program = BuiltProgram.in(folder, "clang -g -O2");

    assertThat(everyByteOf(symbol(program, "_ZN5outer4workEi"), program))
        .allSatisfy(site -> assertThat(site.innermost().line()).isPositive());
  }

  @Test
  void shouldNameFunctionAndOffsetWithoutDebugInformation() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2");
    ElfSymbol plain = symbol(program, "plain");

    Frame frame = ModuleSymbols.open(program).siteAt(plain.address() + 5).innermost();

    assertThat(frame).isEqualTo(Frame.at("plain", "program", 5));
    assertThat(frame.functionAndOffset()).isEqualTo("plain+0x5");
  }

  @Test
  void shouldNameCodeOfLabelsWithoutSize() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2");
    long label = symbol(program, "asm_without_size").address();

    assertThat(ModuleSymbols.open(program).siteAt(label + 1).innermost().functionAndOffset())
        .startsWith("asm_without_size+0x1");
  }

  @Test
  void shouldNameTheModuleWithoutSymbols() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2 -g");
    long plain = symbol(program, "plain").address();
    BuiltProgram.run(folder, List.of("strip", "program"));

    assertThat(ModuleSymbols.open(program).siteAt(plain).innermost().functionAndOffset())
        .isEqualTo("program+0x" + Long.toHexString(plain));
  }

  @Test
  void shouldFindDetachedFilesByBuildId() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2 -g -Wl,--build-id=sha1");
    ElfSymbol plain = symbol(program, "plain");
    Site before = ModuleSymbols.open(program).siteAt(plain.address());
    String id = ElfFile.read(program).orElseThrow().buildId().orElseThrow();
    Path root = folder.resolve("debug");
    Path place = root.resolve(".build-id/" + id.substring(0, 2));
    Files.createDirectories(place);
    Path file = place.resolve(id.substring(2) + ".debug");
    BuiltProgram.run(folder, List.of("objcopy", "--only-keep-debug", "program", file.toString()));
    BuiltProgram.run(folder, List.of("strip", "program"));

    ModuleSymbols found = ModuleSymbols.open(program, new DebugFiles(List.of(root)));

    assertThat(before.innermost().line()).isPositive();
    assertThat(found.siteAt(plain.address())).isEqualTo(before);
  }

  @Test
  void shouldReadFilesThatShareDebugInformation() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2 -g");
    List<Site> before = everyByteOf(symbol(program, "main"), program);
    Files.copy(program, folder.resolve("other"));
    BuiltProgram.run(folder, List.of("dwz", "-m", "shared.dwz", "program", "other"));

    assertThat(ElfFile.read(program).orElseThrow().section(".gnu_debugaltlink")).isPresent();
    assertThat(everyByteOf(symbol(program, "main"), program)).isEqualTo(before);
    Files.delete(folder.resolve("shared.dwz"));
    ModuleSymbols without = ModuleSymbols.open(program);
    assertThat(without.siteAt(symbol(program, "main").address()).innermost().function())
        .isEqualTo("main");
    assertThat(without.problems()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "zlib-gnu", "zlib-gabi"})
  void shouldReadCompressedSections(String form) throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2 -g");
    List<Site> before = everyByteOf(symbol(program, "main"), program);
    BuiltProgram.run(folder, List.of("objcopy", "--compress-debug-sections=" + form, "program"));

    assertThat(everyByteOf(symbol(program, "main"), program)).isEqualTo(before);
  }

  @Test
  void shouldIgnoreSplitUnitsOfAnotherBuild() throws Exception {
    Path program = BuiltProgram.in(folder, "clang -O1 -g -gsplit-dwarf");
    ElfSymbol plain = symbol(program, "plain");
    Files.delete(folder.resolve("plain.c.dwo"));
    Files.copy(folder.resolve("shapes.cpp.dwo"), folder.resolve("plain.c.dwo"));

    Frame frame = ModuleSymbols.open(program).siteAt(plain.address()).innermost();

    assertThat(frame.function()).isEqualTo("plain");
    assertThat(frame.fileName()).isEqualTo("plain.c");
  }

  @Test
  void shouldAnswerForFilesThatCannotBeRead() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "no program");

    for (Path path : List.of(text, folder.resolve("missing"))) {
      ModuleSymbols symbols = ModuleSymbols.open(path);
      assertThat(symbols.siteAt(0x123).innermost().function())
          .isEqualTo(path.getFileName() + "+0x123");
      assertThat(symbols.problems()).hasSize(1);
    }
  }

  @Test
  void shouldAnswerWhereDebugInformationIsDamaged() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -O2 -g -gdwarf-5");
    ElfSymbol main = symbol(program, "main");
    byte[] whole = Files.readAllBytes(program);
    long debug =
        ElfFile.read(program).orElseThrow().sections().stream()
            .filter(s -> s.name().startsWith(".debug"))
            .mapToLong(s -> s.offset())
            .min()
            .orElseThrow();
    long symbols =
        ElfFile.read(program).orElseThrow().sections().stream()
            .filter(s -> s.name().equals(".symtab"))
            .mapToLong(s -> s.offset())
            .min()
            .orElseThrow();
    var random = new Random(11);
    Path damaged = folder.resolve("damaged");
    for (int i = 0; i < 200; i++) {
      byte[] bytes = Arrays.copyOf(whole, whole.length);
      for (int n = 0; n < 20; n++) {
        bytes[(int) (debug + random.nextInt((int) (symbols - debug)))] = (byte) random.nextInt();
      }
      Files.write(damaged, bytes);
      for (Site site : everyByteOf(main, damaged)) {
        assertThat(site.frames()).isNotEmpty();
      }
    }
  }
}
