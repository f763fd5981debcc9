package dev.perdure.testkit.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the runner with a launcher that stands in for Perdure. */
class LitmusMainTest {
  private static final String EXPECTS_MISSING_FLUSH =
      "/* LITMUS\n * command: run\n * expect: missing-flush store=S1\n * END */\nx = 1; //@S1\n";
  private static final String FINDING =
      "{\"kind\": \"missing-flush\", \"store\": {\"file\": \"a.c\", \"line\": 5}}";

  @TempDir Path directory;

  @BeforeEach
  void suite() throws IOException {
    Files.createDirectories(directory.resolve("suite/flush"));
    write("flush/a.c", EXPECTS_MISSING_FLUSH);
  }

  @Test
  void shouldPassAProgramWithItsFindings() throws IOException {
    assertThat(run(launcher(FINDING, 0, 1), 0)).endsWith("1 passed, 0 failed\n");
  }

  @Test
  void shouldFailWhenTheExitCodeDoesNotAgree() throws IOException {
    assertThat(run(launcher(FINDING, 0, 0), 1))
        .contains("wrong: exit code 0 with 1 findings that count")
        .endsWith("0 passed, 1 failed\n");
  }

  @Test
  void shouldFailWhenTheProgramItselfFails() throws IOException {
    assertThat(run(launcher(FINDING, 9, 1), 1)).contains("wrong: the program itself ended with 9");
  }

  @Test
  void shouldFailWithTheTailOfTheLogWhenACommandFails() throws IOException {
    Path launcher = script("echo cannot do that >&2; exit 70\n");

    assertThat(run(launcher, 1)).contains("error: `perdure cc` ended with 70: cannot do that");
  }

  @Test
  void shouldEndACommandThatHangs() throws IOException {
    Path launcher = script("sleep 60\n");

    assertThat(run(launcher, 1, "--timeout", "1"))
        .contains("error: `perdure cc` was still running at the time limit of 1 s");
  }

  @Test
  void shouldBuildWithAPlainCompilerForTheBinaryFrontend() throws IOException {
    write("flush/a.c", EXPECTS_MISSING_FLUSH.replace("x = 1;", "int main(void) { return 0; }"));
    Path launcher = launcher(FINDING, 0, 1);

    assertThat(run(launcher, 0, "--frontend", "binary", "--cc", "gcc -g -O0"))
        .endsWith("1 passed, 0 failed\n");
    assertThat(run(launcher, 1, "--frontend", "binary", "--cc", "gcc --no-such-option"))
        .contains("error: `gcc` ended with 1: ");
  }

  @Test
  void shouldJudgeByFunctionsWithoutDebugInformation() throws IOException {
    write("flush/a.c", EXPECTS_MISSING_FLUSH.replace("x = 1;", "int main(void) { return 0; }"));
    String inMain = "{\"kind\": \"missing-flush\", \"store\": {\"function\": \"main\"}}";
    Path launcher = launcher(inMain, 0, 1);

    assertThat(run(launcher, 0, "--frontend", "binary", "--by-function"))
        .endsWith("1 passed, 0 failed\n");
    run(launcher, 2, "--by-function");
  }

  @Test
  void shouldNotPassWithoutPrograms() throws IOException {
    run(launcher(FINDING, 0, 1), 2, "--filter", "nothing-like-this");
  }

  private String run(Path launcher, int expectedExit, String... more) {
    var bytes = new ByteArrayOutputStream();
    var main = new LitmusMain(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    List<String> args =
        new ArrayList<>(
            List.of(
                "--suite",
                directory.resolve("suite").toString(),
                "--perdure",
                launcher.toString()));
    args.addAll(List.of(more));
    assertThat(new CommandLine(main).execute(args.toArray(String[]::new))).isEqualTo(expectedExit);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A launcher that compiles nothing and reports one finding. */
  private Path launcher(String finding, int targetExit, int exit) throws IOException {
    return script(
        """
        case "$1" in
          cc) exit 0 ;;
          run) cat > "$3" <<END
        {"schema": "perdure-findings/1", "target": {"exit": %d}, "findings": [%s]}
        END
          exit %d ;;
        esac
        """
            .formatted(targetExit, finding, exit));
  }

  private Path script(String body) throws IOException {
    Path script = Files.writeString(directory.resolve("perdure"), "#!/bin/sh\n" + body);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve("suite").resolve(name), text);
  }
}
