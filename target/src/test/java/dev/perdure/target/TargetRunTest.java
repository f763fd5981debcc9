package dev.perdure.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.target.Outcome.Cause;
import dev.perdure.trace.definition.PmFile;
import dev.perdure.trace.definition.TargetProcess;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.format.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TargetRunTest {
  private static final Supervisor.Patience SHORT =
      new Supervisor.Patience(
          Duration.ofMillis(50), Duration.ZERO, Duration.ofMillis(400), Duration.ofMillis(400));

  /** For targets that end when asked, however slow the machine is. */
  private static final Supervisor.Patience LONG =
      new Supervisor.Patience(
          Duration.ofMillis(50), Duration.ZERO, Duration.ofSeconds(60), Duration.ZERO);

  @TempDir static Path shared;
  @TempDir Path folder;
  private static String program;

  @BeforeAll
  static void compile() throws Exception {
    program = TestProgram.compile(shared).toString();
  }

  private TargetCommand.Builder command(String... arguments) {
    List<String> all = new ArrayList<>(List.of(program));
    all.addAll(List.of(arguments));
    return commandLine(all);
  }

  private TargetCommand.Builder commandLine(List<String> all) {
    return TargetCommand.of(all, TestProgram.RUNTIME, folder)
        .pmPaths(List.of(folder.resolve("pool")));
  }

  private String pool() {
    return folder.resolve("pool").toString();
  }

  /** What a run gave: how it ended, the values of its stores to PM, and what it did not follow. */
  private record Result(
      Outcome outcome, List<Long> stores, List<String> unfollowed, List<TargetProcess> processes) {}

  private static Result run(TargetCommand.Builder command) throws Exception {
    try (TargetRun run = start(command)) {
      return finish(run);
    }
  }

  private static TargetRun start(TargetCommand.Builder command) throws Exception {
    return TargetRun.start(command.build(), SHORT, System::nanoTime);
  }

  /** A run whose time limits count from the moment when the target is ready. */
  private TargetRun startTimed(TargetCommand.Builder command, Supervisor.Patience patience)
      throws Exception {
    Path ready = folder.resolve("ready");
    return TargetRun.start(
        command.environment("READY", ready.toString()).build(), patience, new ReadyClock(ready));
  }

  private Outcome runTimed(TargetCommand.Builder command, Supervisor.Patience patience)
      throws Exception {
    try (TargetRun run = startTimed(command, patience)) {
      return finish(run).outcome();
    }
  }

  private static Result finish(TargetRun run) throws Exception {
    List<Long> stores = new ArrayList<>();
    run.source()
        .forEach(
            new EventHandler() {
              @Override
              public void store(Event e) {
                stores.add(e.value());
              }
            });
    Outcome outcome = run.await();
    return new Result(outcome, stores, run.unfollowed(), run.symbols().processes());
  }

  @Test
  void shouldTellTheExitCode() throws Exception {
    Result result = run(command("exit", "3"));

    assertThat(result.outcome().exit()).hasValue(3);
    assertThat(result.outcome().complete()).isTrue();
    assertThat(result.unfollowed()).isEmpty();
    assertThat(result.outcome().description()).isEqualTo("exited with code 3");
  }

  @Test
  void shouldTellSignalsFromExitCodesThatLookLikeThem() throws Exception {
    Outcome signalled = run(command("raise", "11")).outcome();
    Outcome exited = run(command("exit", "139")).outcome();

    assertThat(signalled.signal()).hasValue(11);
    assertThat(signalled.exit()).isEmpty();
    assertThat(signalled.failed()).isTrue();
    assertThat(signalled.description()).isEqualTo("was ended by signal 11 (SIGSEGV)");
    assertThat(exited.exit()).hasValue(139);
    assertThat(exited.failed()).isFalse();
  }

  @Test
  void shouldMapPmIntoTheWindowAndRecordStores() throws Exception {
    try (TargetRun run = start(command("store", pool(), "42"))) {
      Result result = finish(run);
      PmFile file = run.symbols().files().get(0);

      assertThat(result.stores()).containsExactly(42L);
      assertThat(file.path()).isEqualTo(folder.resolve("pool").toRealPath().toString());
      assertThat(file.address()).isBetween(Layout.WINDOW_BASE, Layout.WINDOW_END);
      assertThat(result.processes().get(0).mappedPm()).isTrue();
      assertThat(run.recording().lost()).isZero();
    }
  }

  @Test
  void shouldRecordOneRunAfterTheOtherInAKeptRecording() throws Exception {
    try (KeptRecording kept = new KeptRecording(folder)) {
      for (long value = 41; value <= 43; value++) {
        Result result = run(command("store", pool(), String.valueOf(value)).kept(kept));

        assertThat(result.stores()).containsExactly(value);
        assertThat(result.processes()).hasSize(1);
      }
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }

  @Test
  void shouldFollowForkedChildren() throws Exception {
    Result result = run(command("fork", pool()));

    assertThat(result.stores()).containsExactly(1L, 2L, 3L);
    assertThat(result.processes()).hasSize(2);
    assertThat(result.unfollowed()).isEmpty();
  }

  @Test
  void shouldFollowProgramsThatReplaceThemselves() throws Exception {
    Result result = run(command("exec", pool()));

    assertThat(result.stores()).containsExactly(1L, 2L);
    assertThat(result.outcome().exit()).hasValue(0);
    assertThat(result.processes().get(0).execed()).isTrue();
  }

  @Test
  void shouldFollowWrapperScripts() throws Exception {
    Path script = folder.resolve("run.sh");
    Files.writeString(script, "#!/bin/sh\n" + program + " store \"$1\" 5\nexit 4\n");
    script.toFile().setExecutable(true);
    Result result = run(commandLine(List.of("./run.sh", pool())).directory(folder));

    assertThat(result.stores()).containsExactly(5L);
    assertThat(result.outcome().exit()).hasValue(4);
  }

  @Test
  void shouldSayThatStaticProgramsAreNotFollowed() throws Exception {
    Path plain = folder.resolve("static");
    Path source = Files.writeString(folder.resolve("s.c"), "int main(void) { return 5; }\n");
    assertThat(
            new ProcessBuilder("gcc", "-static", "-o", plain.toString(), source.toString())
                .start()
                .waitFor())
        .isZero();
    Result result = run(commandLine(List.of(plain.toString())));

    assertThat(result.outcome().exit()).hasValue(5);
    assertThat(result.unfollowed()).hasSize(1).first().asString().contains("not loaded");
  }

  @Test
  void shouldKillEverythingAtTheTimeout() throws Exception {
    Path script = folder.resolve("run.sh");
    Files.writeString(script, "#!/bin/sh\n" + program + " hang no-term\n");
    script.toFile().setExecutable(true);
    try (TargetRun run =
        startTimed(commandLine(List.of(script.toString())).timeout(Duration.ofMillis(50)), SHORT)) {
      Result result = finish(run);
      assertThat(result.outcome().cause()).isEqualTo(Cause.TIMEOUT);
      assertThat(result.outcome().complete()).isFalse();
      assertThat(result.processes()).hasSize(2);
      for (TargetProcess p : result.processes()) {
        assertThat(SystemTask.process(p.pid()).map(SystemTask::dead).orElse(true)).isTrue();
      }
    }
  }

  @Test
  void shouldAskServersToEndWhenTheirTimeIsUp() throws Exception {
    Outcome outcome = runTimed(command("serve").duration(Duration.ofMillis(50)), LONG);

    assertThat(outcome.cause()).isEqualTo(Cause.DURATION);
    assertThat(outcome.exit()).hasValue(7);
    assertThat(outcome.complete()).isTrue();
  }

  @Test
  void shouldCountEndBySigtermAsCompleteWhenItWasAskedFor() throws Exception {
    Outcome outcome = runTimed(command("hang").duration(Duration.ofMillis(50)), LONG);

    assertThat(outcome.signal()).hasValue(15);
    assertThat(outcome.complete()).isTrue();
  }

  @Test
  void shouldKillServersThatDoNotEndWhenAsked() throws Exception {
    Outcome outcome = runTimed(command("hang", "no-term").duration(Duration.ofMillis(50)), SHORT);

    assertThat(outcome.signal()).hasValue(9);
    assertThat(outcome.killed()).isTrue();
    assertThat(outcome.complete()).isFalse();
  }

  @Test
  void shouldEndTheTargetOnInterrupt() throws Exception {
    try (TargetRun run = startTimed(command("serve"), LONG)) {
      run.interrupt();
      Outcome outcome = finish(run).outcome();
      assertThat(outcome.cause()).isEqualTo(Cause.INTERRUPT);
      assertThat(outcome.complete()).isTrue();
    }
  }

  @Test
  void shouldKnowTheSignalOfATerminalThatTheTargetGetsFirst() throws Exception {
    Supervisor.Patience patience =
        new Supervisor.Patience(
            Duration.ofMillis(50), Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ZERO);
    try (TargetRun run = startTimed(command("hang"), patience)) {
      Path ready = folder.resolve("ready");
      while (!Files.exists(ready)) {
        Thread.sleep(1);
      }
      var process = run.symbols().processes();
      while (process.isEmpty()) {
        Thread.sleep(1);
        process = run.symbols().processes();
      }
      ProcessHandle target = ProcessHandle.of(process.get(0).pid()).orElseThrow();
      target.destroy();
      target.onExit().get();
      run.interrupt();
      Outcome outcome = finish(run).outcome();
      assertThat(outcome.cause()).isEqualTo(Cause.INTERRUPT);
      assertThat(outcome.signal()).hasValue(15);
      assertThat(outcome.complete()).isTrue();
    }
  }

  @Test
  void shouldLeaveDaemonsBehindAndSaySo() throws Exception {
    try (TargetRun run = start(command("daemon"))) {
      Result result = finish(run);
      TargetProcess daemon = result.processes().get(1);
      ProcessHandle handle = ProcessHandle.of(daemon.pid()).orElseThrow();
      try {
        assertThat(result.outcome().exit()).hasValue(0);
        assertThat(handle.isAlive()).isTrue();
        assertThat(result.unfollowed()).hasSize(1).first().asString().contains("still runs");
      } finally {
        handle.destroyForcibly();
      }
    }
  }

  @Test
  void shouldEndTheTargetWhenTheCallerGivesUp() throws Exception {
    TargetRun run = start(command("hang"));
    Path recording = run.recording().path();
    run.close();

    assertThat(recording.getParent()).doesNotExist();
    assertThat(run.await().killed()).isTrue();
  }

  @Test
  void shouldKeepTheEnvironmentAndAppendToPreload() throws Exception {
    Path out = folder.resolve("out");
    Path script = folder.resolve("say.sh");
    Files.writeString(
        script,
        "#!/bin/sh\n"
            + program
            + " say LD_PRELOAD > "
            + out
            + "\n"
            + program
            + " say MINE >> "
            + out
            + "\n");
    script.toFile().setExecutable(true);
    run(
        commandLine(List.of(script.toString()))
            .environment("LD_PRELOAD", "libm.so.6")
            .environment("MINE", "yes"));

    assertThat(Files.readAllLines(out))
        .containsExactly("libm.so.6:" + TestProgram.RUNTIME.toRealPath(), "yes");
  }

  @Test
  void shouldRunWithRuntimeBelowPathWithSpaces() throws Exception {
    Path odd = Files.createDirectory(folder.resolve("a b:c"));
    Path copy = Files.copy(TestProgram.RUNTIME, odd.resolve("libperdure.so"));
    Result result =
        run(
            TargetCommand.of(List.of(program, "store", pool(), "9"), copy, folder)
                .pmPaths(List.of(folder.resolve("pool"))));

    assertThat(result.stores()).containsExactly(9L);
  }

  @Test
  void shouldSayWhyProgramsCannotBeStarted() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "hello");
    Path script = Files.writeString(folder.resolve("script"), "#!/no/such/shell\n");
    script.toFile().setExecutable(true);
    Path data = Files.writeString(folder.resolve("data"), "hello");
    data.toFile().setExecutable(true);
    Path arm = Files.write(folder.resolve("arm"), elfFor(183));
    arm.toFile().setExecutable(true);
    byte[] narrow = elfFor(62);
    narrow[4] = 1;
    Files.write(folder.resolve("x32"), narrow).toFile().setExecutable(true);
    byte[] half = Arrays.copyOf(Files.readAllBytes(Path.of(program)), 100);
    Files.write(folder.resolve("half"), half).toFile().setExecutable(true);

    assertReason("./nothing", "./nothing: no such file");
    assertReason("no-such-program", "no-such-program: no such program in PATH");
    assertReason("data", "data: no such program in PATH; did you mean ./data?");
    assertReason(
        "./text", "./text: is not executable; make it so with chmod +x, or give an interpreter");
    assertReason("./script", "./script: its interpreter /no/such/shell is missing");
    assertReason(
        "./data", "./data: is neither an ELF file nor a script that names its interpreter");
    assertReason("./arm", "./arm: is an ELF file for aarch64; this machine runs 64-bit x86-64");
    assertReason(
        "./x32", "./x32: is a 32-bit ELF file for x86-64; this machine runs 64-bit x86-64");
    assertReason("./half", "./half: is an ELF file that is cut short; build it again");
    assertReason("/", "/: is a directory, not a program");
    assertThat(text).exists();
  }

  private void assertReason(String name, String reason) {
    assertThatThrownBy(() -> TargetRun.start(commandLine(List.of(name)).directory(folder).build()))
        .isInstanceOf(TargetStartException.class)
        .hasMessage(reason);
  }

  private static byte[] elfFor(int machine) {
    ByteBuffer b = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(0x464c457f).put((byte) 2).put((byte) 1).put((byte) 1);
    return b.putShort(18, (short) machine).array();
  }

  /** What the program had announced as stored before it was killed must be in the stream. */
  @Test
  void shouldLoseNothingThatWasCommittedBeforeKill() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 100; round++) {
      Path progress = folder.resolve("progress" + round);
      long[] seen = new long[3];
      long[] wrong = new long[1];
      try (TargetRun run =
          start(
              command("count", pool(), progress.toString())
                  .timeout(Duration.ofMillis(10 + random.nextInt(60))))) {
        run.source()
            .forEach(
                new EventHandler() {
                  @Override
                  public void store(Event e) {
                    int n = (int) (e.address() & 0xfff) / 8;
                    wrong[0] += e.value() == ++seen[n] ? 0 : 1;
                  }

                  @Override
                  public void storeBlock(Event e) {
                    wrong[0] += e.payload()[39] == '9' ? 0 : 1;
                  }
                });
        assertThat(run.await().cause()).isEqualTo(Cause.TIMEOUT);
        assertThat(wrong[0]).isZero();
        for (int n = 0; n < 3; n++) {
          long announced = announced(progress, n);
          assertThat(seen[n])
              .as("round %d thread %d", round, n)
              .isBetween(announced, announced + 1);
        }
      }
    }
  }

  private static long announced(Path progress, int n) throws IOException {
    return Files.exists(progress) && Files.size(progress) > 0
        ? ByteBuffer.wrap(Files.readAllBytes(progress))
            .order(ByteOrder.LITTLE_ENDIAN)
            .getLong(8 * n)
        : 0;
  }
}
