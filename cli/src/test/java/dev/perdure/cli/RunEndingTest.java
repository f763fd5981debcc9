package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.perdure.cli.PerdureProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a target ends: it is said, the exit code tells, and nothing recorded is lost. */
class RunEndingTest {
  @TempDir private static Path programs;
  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeAll
  static void build() throws Exception {
    PerdureProcess builder = new PerdureProcess(programs);
    for (String name : List.of("unflushed", "late", "forks", "serves")) {
      builder.build(name);
    }
  }

  @BeforeEach
  void start() {
    perdure = new PerdureProcess(folder);
  }

  private Result run(List<String> options, String program, String... args) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "--out", "run", "--pm", "pool"));
    words.addAll(options);
    words.addAll(List.of("--", programs.resolve(program).toString(), "pool"));
    words.addAll(List.of(args));
    return perdure.run(words.toArray(String[]::new));
  }

  private JsonNode findings() throws IOException {
    return new ObjectMapper().readTree(folder.resolve("run/findings.json").toFile());
  }

  private List<String> kinds() throws IOException {
    List<String> kinds = new ArrayList<>();
    findings().path("findings").forEach(f -> kinds.add(f.path("kind").asText()));
    return kinds;
  }

  @Test
  void shouldPassTheTargetsOutputThroughAndReportToStandardError() throws Exception {
    Result result = run(List.of(), "unflushed");
    assertThat(result.out()).isEqualTo("done\n");
    assertThat(result.lastLine()).startsWith("SUMMARY: ");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(kinds()).containsExactly("missing-flush");
    assertThat(findings().path("target").path("exit").asInt()).isZero();
    assertThat(findings().path("complete").asBoolean()).isTrue();
  }

  @Test
  void shouldWriteOnlyJsonToStandardOutputWhenAsked() throws Exception {
    Result result = run(List.of("--json", "-"), "unflushed");
    assertThat(new ObjectMapper().readTree(result.out()).path("schema").asText())
        .isEqualTo("perdure-findings/1");
    assertThat(result.err()).contains("done");
  }

  @Test
  void shouldMarkARunThatEndedByASignalAsIncomplete() throws Exception {
    Result result = run(List.of(), "unflushed", "segv");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.err()).contains("SIGSEGV");
    assertThat(findings().path("target").path("signal").asInt()).isEqualTo(11);
    assertThat(findings().path("complete").asBoolean()).isFalse();
    assertThat(findings().path("stats").path("events").asLong()).isPositive();
    assertThat(kinds()).isEmpty();
    assertThat(run(List.of(), "unflushed", "abort").exit()).isEqualTo(3);
  }

  @Test
  void shouldTellAnExitCodeOver128FromASignal() throws Exception {
    Result result = run(List.of(), "unflushed", "exit139");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(findings().path("target").path("exit").asInt()).isEqualTo(139);
  }

  @Test
  void shouldReportAfterUnderscoreExit() throws Exception {
    assertThat(run(List.of(), "unflushed", "_exit").exit()).isEqualTo(1);
    assertThat(findings().path("target").path("exit").asInt()).isEqualTo(7);
    assertThat(kinds()).containsExactly("missing-flush");
  }

  @Test
  void shouldKillATargetThatHangs() throws Exception {
    Result result = run(List.of("--timeout", "1s"), "unflushed", "hang");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(findings().path("complete").asBoolean()).isFalse();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void shouldEndAServerAfterItsDurationWithAFullReport() throws Exception {
    assertThat(run(List.of("--duration", "3s"), "serves").exit()).isEqualTo(1);
    assertThat(findings().path("complete").asBoolean()).isTrue();
    assertThat(kinds()).containsExactly("missing-flush");
  }

  private Process startServer() throws Exception {
    return started("serves", "pool");
  }

  /** A run whose target has stored something. */
  private Process started(String program, String... args) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "--out", "run", "--pm", "pool", "--"));
    words.add(programs.resolve(program).toString());
    words.addAll(List.of(args));
    Process process = perdure.start(words.toArray(String[]::new));
    awaitWord(0, process);
    return process;
  }

  @Test
  void shouldLeaveNoTargetBehindWhenKilled() throws Exception {
    Process process = startServer();
    List<ProcessHandle> children = process.children().toList();
    assertThat(children).isNotEmpty();
    process.destroyForcibly();
    for (ProcessHandle child : children) {
      child.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldReportATargetThatSomebodyKillsWithAllThatBelongsToIt() throws Exception {
    Process process = startServer();
    process.children().forEach(ProcessHandle::destroyForcibly);
    Result result = perdure.await(process);
    assertThat(result.exit()).as(result.err()).isEqualTo(3);
    assertThat(result.lastLine()).isEqualTo("SUMMARY: no findings; incomplete run");
    assertThat(findings().path("target").path("signal").asInt()).isEqualTo(9);
    assertThat(findings().path("complete").asBoolean()).isFalse();
    assertThat(perdure.run("analyze", "run").out()).contains("incomplete run");
  }

  @Test
  void shouldReportWhatIsThereWhenInterrupted() throws Exception {
    Process process = startServer();
    process.destroy();
    assertThat(perdure.await(process).exit()).isEqualTo(1);
    assertThat(kinds()).containsExactly("missing-flush");
  }

  @Test
  void shouldKillATargetThatOutlastsTheFirstInterruptAtTheSecond() throws Exception {
    Process process = started("unflushed", "pool", "outlast");
    process.destroy();
    awaitWord(1, process);
    process.destroy();
    Result result = perdure.await(process);
    assertThat(result.exit()).as(result.err()).isEqualTo(3);
    assertThat(result.lastLine()).isEqualTo("SUMMARY: no findings; incomplete run");
    assertThat(findings().path("target").path("signal").asInt()).isEqualTo(9);
    assertThat(hasStored(2)).as("the patience came to its end").isFalse();
  }

  @Test
  void shouldReportInFullWhenTheTerminalInterruptsTheTargetToo() throws Exception {
    Process process =
        perdure.startInSession(
            "run",
            "--out",
            "run",
            "--pm",
            "pool",
            "--",
            programs.resolve("unflushed").toString(),
            "pool",
            "hang");
    awaitWord(0, process);
    PerdureProcess.interruptSession(process);
    Result result = perdure.await(process);
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    assertThat(result.err()).contains("perdure: the target was asked to end");
    assertThat(kinds()).containsExactly("missing-flush");
  }

  @Test
  void shouldSayThatItWasInterruptedBeforeTheTargetWasStarted() throws Exception {
    Path configuration = folder.resolve("late.toml");
    assertThat(new ProcessBuilder("mkfifo", configuration.toString()).start().waitFor()).isZero();
    Process process = perdure.start("run", "--config", configuration.toString(), "--", "/bin/true");
    try (var writer = Files.newOutputStream(configuration)) {
      writer.flush();
      process.destroy();
      Result result = perdure.await(process);
      assertThat(result.err()).isEqualTo("perdure: interrupted before the target was started\n");
      assertThat(result.exit()).isEqualTo(3);
    }
  }

  @Test
  void shouldSayThatATargetHadToBeKilled() throws Exception {
    Result result = run(List.of("--duration", "1s"), "unflushed", "stay");
    assertThat(result.exit()).as(result.err()).isEqualTo(3);
    assertThat(result.err())
        .contains("perdure: the target did not end when it was asked to, and was killed");
  }

  @Test
  void shouldSayWhichPoolWasNotTouched() throws Exception {
    Result result =
        perdure.run("run", "--pm", "other", "--", programs.resolve("unflushed").toString(), "pool");
    assertThat(result.err())
        .contains("the target touched no persistent memory: there is no other, as --pm says")
        .doesNotContain("name its pool");
    Files.createFile(folder.resolve("other"));
    result =
        perdure.run("run", "--pm", "other", "--", programs.resolve("unflushed").toString(), "pool");
    assertThat(result.err()).contains("it accessed no mapping of other, as --pm says");
  }

  private void awaitWord(int index, Process process) throws Exception {
    while (!hasStored(index)) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(1);
    }
  }

  /** Whether a word of the pool is 1. */
  private boolean hasStored(int index) throws IOException {
    Path pool = folder.resolve("pool");
    return Files.exists(pool)
        && Files.size(pool) > 0
        && Files.readAllBytes(pool)[Long.BYTES * index] == 1;
  }

  @Test
  void shouldFollowForkedChildren() throws Exception {
    assertThat(run(List.of(), "forks").exit()).isEqualTo(1);
    assertThat(kinds()).containsExactly("missing-flush");
  }

  @Test
  void shouldFollowAProgramThatAScriptStarts() throws Exception {
    Path script = folder.resolve("wrapper.sh");
    Files.writeString(
        script, "#!/bin/sh\nexec env -i " + programs.resolve("unflushed") + " \"$1\"\n");
    script.toFile().setExecutable(true);
    Result result =
        perdure.run("run", "--out", "run", "--pm", "pool", "--", script.toString(), "pool");
    assertThat(result.exit()).as(result.err()).isEqualTo(1);
    assertThat(kinds()).containsExactly("missing-flush");
  }

  @Test
  void shouldGiveTheSameFindingsFromTheTraceAsLive() throws Exception {
    assertThat(run(List.of(), "late").exit()).isEqualTo(1);
    assertThat(kinds()).containsExactly("persistency-race");
    JsonNode live = findings().path("findings").get(0);
    assertThat(perdure.run("analyze", "--json", "again.json", "run/trace").exit()).isEqualTo(1);
    JsonNode again =
        new ObjectMapper().readTree(folder.resolve("again.json").toFile()).path("findings").get(0);
    assertThat(again.path("id")).isEqualTo(live.path("id"));
    assertThat(again.path("evidence")).isEqualTo(live.path("evidence"));
    assertThat(again.path("count")).isEqualTo(live.path("count"));
    assertThat(perdure.run("report", "run").out()).contains("persistency-race");
  }

  @Test
  void shouldMergeSeveralRunsAndPutThePoolBack() throws Exception {
    assertThat(run(List.of("--runs", "3"), "late").exit()).isEqualTo(1);
    assertThat(kinds()).containsExactly("persistency-race");
  }

  @Test
  void shouldHonourSuppressionsAndFailOn() throws Exception {
    Files.writeString(
        folder.resolve("perdure.toml"),
        "[[suppress]]\nkind = \"persistency-race\"\nstore = \"writer\"\nreason = \"known\"\n");
    assertThat(run(List.of(), "late").exit()).isZero();
    assertThat(findings().path("findings").get(0).path("suppressed").asBoolean()).isTrue();
    Files.delete(folder.resolve("perdure.toml"));
    Files.delete(folder.resolve("pool"));
    assertThat(run(List.of("--fail-on", "harmful"), "late").exit()).isZero();
  }
}
