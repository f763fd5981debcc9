package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.PerdureProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What users see when something is wrong: one clear line, the right exit code, never a stack trace.
 */
class BadInputTest {
  @TempDir private Path folder;
  private PerdureProcess perdure;

  @BeforeEach
  void start() {
    perdure = new PerdureProcess(folder);
  }

  private static void clear(Result result, int exit, String... parts) {
    assertThat(result.err()).contains(parts).doesNotContain("\tat ").doesNotContain("Exception");
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
  }

  @Test
  void shouldWantAPathThatIsNotEmpty() throws Exception {
    clear(perdure.run("run", "--pm", "", "--", "./x"), 2, "--pm '': the path of a file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          run --frobnicate -- ./x       | Unknown option: '--frobnicate'
          frobnicate                    | frobnicate
          run                           | no program to run
          run --model dram -- ./x       | --model dram: adr, eadr or cxl is wanted
          run --detect magic -- ./x     | --detect magic: there are lockset, regions, hb, observed, flush, taint
          run --regions huge -- ./x     | --regions huge: pifr, ifr or minimal is wanted
          run --sample half -- ./x      | --sample half: a part such as 1/10 is wanted
          run --decay 5% -- ./x         | --decay 5%: goes with --delay
          run --delay 1ms --decay x -- ./x | --decay x: a percentage such as 5% is wanted
          run --timeout soon -- ./x     | --timeout soon
          run --fail-on maybe -- ./x    | --fail-on maybe
          run --frontend magic -- ./x   | --frontend magic: llvm or binary is wanted
          run --sarif f.sarif -- ./x    | not available in this version
          run --config none.toml -- ./x | none.toml
          run --config / -- ./x         | /: cannot be read (Is a directory)
          run --out /proc/none -- /bin/true | /proc/none: cannot be made (there is no such file or folder)
          crash --pm p -- ./x           | --recover is missing
          crash --recover x --pm p      | no program to run
          crash --recover x{pm2} --pm p -- ./x | --recover: {pm2} stands for pool 2, and one is named: add --pm PATH
          fuzz --recover x{pm3} --pm p --pm q -- ./x | --recover: {pm3} stands for pool 3, and 2 are named: add --pm PATH
          crash --recover x -- ./x      | no pool: name the pool's file
          crash --recover x --images some --pm p -- ./x | --images some: there are latest, persisted and all
          crash --recover x --points few --pm p -- ./x  | --points few: ordering or stores is wanted
          crash --recover x --jobs 0 --pm p -- ./x      | --jobs 0: at least 1 is wanted
          crash --replay RF-000000 --out nowhere        | nowhere: no crash test is kept there
          fuzz --pm p                   | no program to fuzz
          fuzz -- ./x                   | no pool: name the pool's file, or its folder, with --pm PATH
          fuzz --pm p --seeds s -- ./x  | --seeds: the program takes no input; put @@ where the input's path goes
          fuzz --pm p -- ./x @@         | @@ needs inputs to begin with: give --seeds DIR or --grammar FILE
          fuzz --pm p --seeds none -- ./x @@     | --seeds none: there is no such directory
          fuzz --pm p --grammar none -- ./x @@   | --grammar none: there is no such file
          fuzz --pm p --strategy luck -- ./x     | --strategy luck: pmaware, delay or pct is wanted
          fuzz --pm p --tiers sixth -- ./x       | --tiers sixth: execution, interleaving or seed is wanted
          fuzz --pm p --workers 0 -- ./x         | --workers 0: from 1 to 64 are possible
          fuzz --pm p --socket here --seeds s -- ./x   | --socket here: an address such as 127.0.0.1:11211 is wanted
          fuzz --pm p --socket h:1 --workers 2 -- ./x  | --workers 2 with --socket: put {port} where the server's port goes
          fuzz --pm p --replay C9 -- ./x         | --replay C9: there is no such campaign
          analyze missing.trace         | missing.trace: there is no such file
          report nowhere                | nowhere: this is no run directory
          explain nonsense              | there is no kind of finding 'nonsense'
          explain                       | no kind of finding is named; there are: cross-failure-race, cross-
          report                        | perdure-out/latest: this is no run directory
          check missing.c               | missing.c: there is no such file
          regions missing.c             | missing.c: there is no such file
          regions                       | no source file or program to look at
          regions -O2 /bin/true         | /bin/true is a binary: name it alone
          regions --run . /bin/true     | .: this is no run directory with a trace
          check                         | no source file to check
          fix                           | no source file to fix
          fix missing.c -o x            | missing.c: there is no such file
          fix code.s -o x               | code.s: assembler input cannot be analysed
          fix --mode best a.c -o x      | --mode best: the modes are base, opt and flit
          fix --flush-with dc a.c -o x  | --flush-with dc: there are clwb, clflushopt and clflush
          cc --fix=most a.c -o x        | --fix=most: the modes are base, opt and flit
          """)
  void shouldAnswerWrongUsageWithOneLineAndCode2(String command, String message) throws Exception {
    clear(perdure.run(command.split(" ")), 2, message);
  }

  @Test
  void shouldExplainTheKindOfAnId() throws Exception {
    assertThat(perdure.run("explain", "XN-C4157D").out()).startsWith("# redundant-fence");
  }

  @Test
  void shouldNotCallFencesNeedlessWhereThePoolIsNotNamed() throws Exception {
    Path program = perdure.build("late");
    clear(
        perdure.run("run", "--", program.toString(), "pool"),
        0,
        "touched no persistent memory: name its pool with --pm PATH",
        "SUMMARY: no findings");
  }

  @Test
  void shouldSayWhatATraceLacksThatCouldNotGrow() throws Exception {
    Path program = perdure.build("late");
    clear(
        perdure.run(
            "run",
            "--out",
            "r",
            "--max-trace",
            "1",
            "--pm",
            "pool",
            "--",
            program.toString(),
            "pool"),
        1,
        "r/trace holds only the first part of the run (the limit of 1 bytes was reached)");
  }

  @Test
  void shouldNameAMissingProgram() throws Exception {
    clear(perdure.run("run", "--", "./missing"), 3, "./missing");
  }

  @Test
  void shouldNameAProgramThatCannotBeExecuted() throws Exception {
    Files.writeString(folder.resolve("notes.txt"), "no program");
    clear(perdure.run("run", "--", "./notes.txt"), 3, "notes.txt");
  }

  @Test
  void shouldTellForeignTraces() throws Exception {
    Files.writeString(
        folder.resolve("foreign"),
        "this is a letter, not a trace, and long enough to be read as one");
    clear(perdure.run("analyze", "foreign"), 2, "foreign");
    Files.createFile(folder.resolve("empty"));
    clear(perdure.run("analyze", "empty"), 2, "empty");
  }

  @Test
  void shouldNameTheNearestKeyOfTheConfiguration() throws Exception {
    Files.writeString(folder.resolve("perdure.toml"), "[pm]\npathes = []\n");
    clear(perdure.run("run", "--", "./x"), 2, "perdure.toml", "pathes", "paths");
  }

  @Test
  void shouldSayThatAPlainProgramWasNotObserved() throws Exception {
    clear(
        perdure.run("run", "--frontend", "llvm", "--", "/bin/true"),
        2,
        "nothing was observed",
        "perdure cc");
  }

  @Test
  void shouldSayWhereTheReportCannotBeWritten() throws Exception {
    Path program = perdure.build("unflushed");
    clear(
        perdure.run(
            "run",
            "--json",
            "no/such/folder/f.json",
            "--pm",
            "pool",
            "--",
            program.toString(),
            "pool"),
        2,
        "--json no/such/folder/f.json");
    Files.writeString(folder.resolve("file"), "");
    clear(
        perdure.run("run", "--out", "file/run", "--pm", "pool", "--", program.toString(), "pool"),
        2,
        "file/run",
        "--out");
  }

  @Test
  void shouldPassThroughWhatAProgramSaysOfAPoolThatCannotBeMapped() throws Exception {
    Path program = perdure.build("unflushed");
    Result result = perdure.run("run", "--pm", "no/pool", "--", program.toString(), "no/pool");
    assertThat(result.err()).contains("no/pool: No such file or directory");
    assertThat(result.exit()).isZero();
  }

  @Test
  void shouldSayThatMemoryIsTooSmallAndKeepTheTrace() throws Exception {
    String program = perdure.build("wide_writes").toString();

    var result =
        perdure.runWithSmallHeap(48, "run", "--quiet", "--pm", "pool", "--", program, "pool");

    assertThat(result.exit()).isEqualTo(CommandFailure.INTERNAL);
    assertThat(result.err().lines().filter(line -> line.startsWith("perdure:")))
        .singleElement()
        .asString()
        .startsWith("perdure: out of memory: ");
    Path trace = folder.resolve("perdure-out/latest/trace");
    assertThat(perdure.run("analyze", "--quiet", trace.toString()).out())
        .contains("incomplete run");
  }

  @Test
  void shouldReadThePrefixOfATruncatedTrace() throws Exception {
    Path program = perdure.build("late");
    assertThat(
            perdure
                .run("run", "--out", "r", "--pm", "pool", "--", program.toString(), "pool")
                .exit())
        .isEqualTo(1);
    byte[] trace = Files.readAllBytes(folder.resolve("r/trace"));
    Files.write(folder.resolve("cut"), java.util.Arrays.copyOf(trace, trace.length - 20));
    Result result = perdure.run("analyze", "cut");
    assertThat(result.out()).contains("cut short").contains("SUMMARY:");
  }

  @Test
  void shouldReportWhatACompilerRefuses() throws IOException, InterruptedException {
    Files.writeString(folder.resolve("broken.c"), "int main(void) { return x; }\n");
    Result result = perdure.run("cc", "broken.c", "-o", "broken");
    assertThat(result.exit()).isNotZero();
    assertThat(result.err()).contains("broken.c:1").contains("undeclared");
    assertThat(folder.resolve("broken")).doesNotExist();
  }
}
