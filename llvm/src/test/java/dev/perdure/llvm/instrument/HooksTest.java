package dev.perdure.llvm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perdure.llvm.Workbench;
import dev.perdure.llvm.driver.Mode;
import dev.perdure.model.config.AllocFunction;
import dev.perdure.model.config.AllocatorFunctions;
import dev.perdure.model.config.Configuration;
import dev.perdure.model.config.FlushFunctions;
import dev.perdure.model.config.FreeFunction;
import dev.perdure.model.config.LockFunction;
import dev.perdure.model.config.LockMode;
import dev.perdure.model.config.RangeFunction;
import dev.perdure.model.config.SyncFunctions;
import dev.perdure.model.config.ThreadFunction;
import dev.perdure.model.config.TryFunction;
import dev.perdure.model.config.TrySuccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HooksTest {
  @TempDir Path folder;
  private Workbench bench;

  @BeforeEach
  void prepare() throws Exception {
    bench = new Workbench(folder);
  }

  /** The hook as it is where no other event comes just before. */
  private static String whateverPrecedes(String hook) {
    return hook.replace("_preceded", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O1", "-O2", "-O3"})
  void shouldAnnounceAccessesOfPersistentMemoryOnly(String level) throws Exception {
    bench.program("accesses.c");
    bench.build(Mode.C, level, "accesses.c", "-o", "accesses");

    assertThat(bench.hooks("accesses", "accesses.c"))
        .filteredOn(hook -> !hook.matches("\\d+:.*|.*ordinary size.*|compare:.*"))
        .extracting(HooksTest::whateverPrecedes)
        .containsExactly(
            "plain-word: store +0 size=8 order=0 value=1122334455667788",
            "plain-float: store +12 size=4 order=0 value=3fc00000",
            "plain-wide: store_block +16 length=10 nt=0 bytes=00000000000000800040",
            "volatile-store: store +8 size=4 order=6 value=9",
            "volatile-load: load +8 size=4 order=6 value=9",
            "copy: copy +32 ordinary length=5",
            "move: move +33 +32 length=5",
            "fill: fill +32 byte=7 length=5",
            "stream: store_nt +0 size=8 order=0 value=5",
            "clflush: flush +0 kind=2",
            "sfence: fence kind=0",
            "mfence: fence kind=1",
            "load: load +8 size=4 order=0 value=9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O1", "-O2"})
  void shouldTellLoadsThatAnotherEventFollowsOnEveryWay(String level) throws Exception {
    bench.program("followed.c");
    bench.build(Mode.C, level, "-pthread", "followed.c", "-o", "followed");

    assertThat(bench.hooks("followed", "followed.c"))
        .filteredOn(hook -> hook.matches(".*: load.*"))
        .extracting(hook -> hook.replaceFirst(" \\+.*", ""))
        .containsExactly(
            "before-unlock: load_followed",
            "before-store: load_followed",
            "before-other-object: load",
            "before-fence: load_followed",
            "before-call: load",
            "before-system-call: load",
            "on-one-way: load",
            "in-loop: load",
            "in-loop: load",
            "last: load");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O1", "-O2"})
  void shouldTellStoresAndFlushesDirectlyBehindAnotherEvent(String level) throws Exception {
    bench.program("preceded.c");
    bench.build(Mode.C, level, "preceded.c", "-o", "preceded");

    assertThat(bench.hooks("preceded", "preceded.c"))
        .filteredOn(hook -> hook.matches("[a-z-]+: (store|flush).*"))
        .extracting(hook -> hook.replaceFirst(" \\+.*", ""))
        .containsExactly(
            "beside: store_preceded",
            "overwriting: store",
            "overwriting-behind-a-time: store_preceded",
            "overwriting-in-loop: store",
            "overwriting-in-loop: store",
            "one-behind-the-other: store",
            "one-behind-the-other: store",
            "first: store",
            "same-object: store_preceded",
            "other-object: store",
            "again: store_preceded",
            "behind-load: store",
            "behind-call: store",
            "behind-fence: store_preceded",
            "flush-of-stored: flush_preceded",
            "ordered-flush: flush",
            "built-in-ordered-flush: flush",
            "flush-of-other: flush",
            "flush-in-loop: flush_preceded",
            "behind-loop: store",
            "on-one-way: store");
  }

  @Test
  void shouldSeeComparisonsThatTheCompilerInlines() throws Exception {
    bench.program("accesses.c");
    bench.build(Mode.C, "-O2", "accesses.c", "-o", "accesses");

    assertThat(bench.hooks("accesses", "accesses.c")).contains("compare: load_block +32 length=4");
  }

  @Test
  void shouldAnnounceVolatileAccessesOfOrdinaryMemoryButNotOfTheStack() throws Exception {
    bench.program("accesses.c");
    bench.build(Mode.C, "-O1", "accesses.c", "-o", "accesses");

    assertThat(bench.hooks("accesses", "accesses.c"))
        .contains("volatile-store: volatile_store ordinary size=4 order=6 value=9")
        .noneMatch(hook -> hook.startsWith("local:"));
  }

  @Test
  void shouldBracketAtomicsOfAnyMemory() throws Exception {
    bench.program("atomics.c");
    bench.build(Mode.C, "-O1", "-mcx16", "atomics.c", "-o", "atomics");

    assertThat(bench.hooks("atomics", "atomics.c"))
        .filteredOn(hook -> !hook.matches("\\d+:.*"))
        .containsExactly(
            "release: atomic_store +0 size=8 order=3 value=1",
            "acquire: atomic_load +0 size=8 order=2 value=1",
            "add: rmw +0 size=8 order=5 old=1 new=5 operation=0 stored=1",
            "exchange: rmw +0 size=8 order=5 old=5 new=7 operation=1 stored=1",
            "cas: rmw +0 size=8 order=5 old=7 new=9 operation=2 stored=1",
            "failing-cas: rmw +0 size=8 order=5 old=9 new=9 operation=2 stored=0",
            "ordered-cas: rmw +0 size=8 order=2 old=9 new=9 operation=2 stored=1",
            "failing-ordered-cas: rmw +0 size=8 order=1 old=9 new=9 operation=2 stored=0",
            "or: rmw +0 size=8 order=1 old=9 new=19 operation=0 stored=1",
            "wide: rmw16 +64 size=16 order=5 old=00000000000000000000000000000000"
                + " new=01000000000000000200000000000000 operation=2 stored=1",
            "local: fence kind=2",
            "full-fence: fence kind=1",
            "ordinary: atomic_store ordinary size=4 order=5 value=3",
            "release-fence: fence kind=5",
            "ordinary-load: atomic_load ordinary size=4 order=5 value=3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O2"})
  void shouldReadInlineAssembly(String level) throws Exception {
    bench.program("assembly.c");
    bench.build(Mode.C, level, "assembly.c", "-o", "assembly");

    assertThat(bench.hooks("assembly", "assembly.c"))
        .filteredOn(hook -> !hook.matches("\\d+:.*"))
        .extracting(HooksTest::whateverPrecedes)
        .containsExactly(
            "clflush: flush +0 kind=2",
            "clflushopt: flush +0 kind=1",
            "clwb: flush +0 kind=0",
            "in-register: flush +8 kind=2",
            "as-bytes: flush +0 kind=1",
            "sfence: fence kind=0",
            "movnti: store_nt +0 size=8 order=0 value=2a",
            "mov: store +8 size=4 order=6 value=b",
            "inc: load +8 size=4 order=6 value=c",
            "inc: store +8 size=4 order=6 value=c",
            "stos: store_block +13 length=3 nt=0 bytes=414141",
            "xchgb: rmw_unknown +12 size=1 old=0 new=1 operation=1",
            "xchgq: rmw_unknown +0 size=8 old=2a new=4d operation=1",
            "add: rmw_unknown +8 size=4 old=c new=f operation=0",
            "fence: fence kind=2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O2"})
  void shouldAnnounceTheActiveLanesOfVectors(String level) throws Exception {
    assumeTrue(Files.readString(Path.of("/proc/cpuinfo")).contains(" avx2 "));
    bench.program("vectors.c");
    bench.build(Mode.C, level, "vectors.c", "-o", "vectors");

    assertThat(bench.hooks("vectors", "vectors.c"))
        .filteredOn(hook -> !hook.matches("\\d+:.*"))
        .containsExactly(
            "masked-store: store +0 size=4 order=0 value=5",
            "masked-store: store +8 size=4 order=0 value=5",
            "masked-store: store +28 size=4 order=0 value=5",
            "masked-load: load +0 size=4 order=0 value=5",
            "masked-load: load +8 size=4 order=0 value=5",
            "masked-load: load +28 size=4 order=0 value=5",
            "whole: store_block +32 length=32 nt=0 bytes="
                + "05000000000000000500000000000000"
                + "00000000000000000000000005000000",
            "gather: load +4 size=4 order=0 value=0",
            "gather: load +12 size=4 order=0 value=0",
            "gather: load +0 size=4 order=0 value=5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O2"})
  void shouldAnnounceTheElementsThatMasksSelect(String level) throws Exception {
    String processor = Files.readString(Path.of("/proc/cpuinfo"));
    assumeTrue(processor.contains(" avx512vl "), "this processor has no avx512vl");
    assumeTrue(processor.contains(" movdir64b "), "this processor has no movdir64b");
    bench.program("masks.c");
    bench.build(Mode.C, level, "masks.c", "-o", "masks");

    assertThat(bench.hooks("masks", "masks.c"))
        .filteredOn(hook -> !hook.matches("\\d+:.*"))
        .containsExactly(
            "masked: store +0 size=4 order=0 value=1",
            "masked: store +60 size=4 order=0 value=10",
            "cut: store +65 size=1 order=0 value=2c",
            "cut: store +79 size=1 order=0 value=10",
            "signed: store +80 size=1 order=0 value=1",
            "signed: store +81 size=1 order=0 value=7f",
            "signed: store +82 size=1 order=0 value=80",
            "unsigned: store +98 size=2 order=0 value=12c",
            "unsigned: store +100 size=2 order=0 value=ffff",
            "compressed: store +128 size=4 order=0 value=5",
            "compressed: store +132 size=4 order=0 value=10",
            "scattered: store +240 size=8 order=0 value=7",
            "scattered: store +208 size=8 order=0 value=7",
            "copied: load_block +128 length=64",
            "copied: store_block +256 length=64 nt=1 bytes=0500000010000000" + "00".repeat(56),
            "direct: store_nt +320 size=4 order=0 value=3",
            "addressed: load +208 size=8 order=0 value=7",
            "addressed: load +240 size=8 order=0 value=7",
            "expanded: load +128 size=4 order=0 value=5",
            "expanded: load +132 size=4 order=0 value=10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-O0", "-O2"})
  void shouldKeepTheShadowStackThroughExceptionsAndJumps(String level) throws Exception {
    bench.program("calls.cpp");
    bench.build(Mode.CXX, level, "calls.cpp", "-o", "calls");

    assertThat(bench.hooks("calls", "calls.cpp", true))
        .filteredOn(hook -> hook.startsWith("put: store"))
        .containsExactly(
            "put: store +8 size=8 order=0 value=2 from inner-call",
            "put: store +16 size=8 order=0 value=3 from after-catch",
            "put: store +24 size=8 order=0 value=4 from after-jump",
            "put: store +32 size=8 order=0 value=6 from writing-call");
  }

  @Test
  void shouldAnnounceFunctionsThatTheConfigurationNames() throws Exception {
    var configuration =
        new Configuration(
            List.of(),
            new SyncFunctions(
                List.of(new LockFunction("my_lock", 1, LockMode.SHARED)),
                List.of(new LockFunction("my_unlock", 0, LockMode.SHARED)),
                List.of(
                    new TryFunction("my_try", 0, LockMode.EXCLUSIVE, new TrySuccess.Returns(1))),
                List.of(new ThreadFunction("my_spawn", OptionalInt.empty())),
                List.of(new ThreadFunction("my_wait", OptionalInt.of(0)))),
            new AllocatorFunctions(
                List.of(
                    new AllocFunction(
                        "my_alloc", OptionalInt.empty(), 0, OptionalInt.empty(), false)),
                List.of(new FreeFunction("my_free", 0))),
            new FlushFunctions(
                List.of(),
                List.of("my_fence"),
                List.of(new RangeFunction("my_persist", 0, OptionalInt.of(1)))),
            List.of(),
            Map.of(),
            Map.of());
    bench.program("named.c");
    assertThat(bench.drive(configuration, Mode.C, "-O1", "named.c", "-o", "named")).isZero();

    assertThat(bench.hooks("named", "named.c"))
        .extracting(hook -> hook.replaceFirst("\\d+: ", ""))
        .containsExactly(
            "acquire +0 flags=1",
            "acquire +8 flags=4",
            "alloc +64 size=100 zeroed=0",
            "persist +64 length=100",
            "named_fence",
            "free +64",
            "release +0 flags=1",
            "create_begin",
            "create_end +32",
            "join_begin +32",
            "join_end");
    assertThat(bench.messages()).isEmpty();
  }

  @Test
  void shouldSayWhichNamedFunctionsAreNotCalled() throws Exception {
    var sync =
        new SyncFunctions(
            List.of(
                new LockFunction("my_lock", 1, LockMode.EXCLUSIVE),
                new LockFunction("my_lokc", 0, LockMode.EXCLUSIVE)),
            List.of(new LockFunction("my_unlock", 1, LockMode.EXCLUSIVE)),
            List.of(),
            List.of(),
            List.of());
    var configuration =
        new Configuration(
            List.of(),
            sync,
            AllocatorFunctions.NONE,
            FlushFunctions.NONE,
            List.of(),
            Map.of(),
            Map.of());
    bench.program("named.c");
    assertThat(bench.drive(configuration, Mode.C, "-O1", "named.c", "-o", "named")).isZero();

    assertThat(bench.messages())
        .isEqualTo(
            "perdure: warning: my_lokc, my_unlock: named in the configuration, but the program has"
                + " no call that can be recorded\n");
  }
}
