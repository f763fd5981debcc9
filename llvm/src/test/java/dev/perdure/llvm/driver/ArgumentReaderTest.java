package dev.perdure.llvm.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentReaderTest {

  @Test
  void shouldTellInputsFromValuesOfOptions() {
    List<Argument> arguments =
        ArgumentReader.read(
            List.of("-I", "dir", "-include", "config.h", "a.c", "-o", "prog", "-lm", "b.o"));

    assertThat(arguments)
        .containsExactly(
            new Argument.Option(List.of("-I", "dir")),
            new Argument.Option(List.of("-include", "config.h")),
            new Argument.Input("a.c", "none"),
            new Argument.Output("prog"),
            new Argument.Library("m"),
            new Argument.Input("b.o", "none"));
  }

  @Test
  void shouldApplyLanguagesToTheInputsThatFollow() {
    assertThat(ArgumentReader.read(List.of("a.o", "-x", "c", "-", "-xnone", "b.o")))
        .containsExactly(
            new Argument.Input("a.o", "none"),
            new Argument.Input("-", "c"),
            new Argument.Input("b.o", "none"));
  }

  @Test
  void shouldCutLinkerWordsApart() {
    assertThat(ArgumentReader.read(List.of("-Wl,-rpath,/x", "-Xlinker", "--gc-sections")))
        .containsExactly(
            new Argument.LinkerWord("-rpath"),
            new Argument.LinkerWord("/x"),
            new Argument.LinkerWord("--gc-sections"));
  }

  @ParameterizedTest
  @CsvSource({
    "--version, PASS_THROUGH",
    "-print-search-dirs, PASS_THROUGH",
    "-v, PASS_THROUGH",
    "-E a.c, PASS_THROUGH",
    "-S a.c, PASS_THROUGH",
    "-MM a.c, PASS_THROUGH",
    "-c a.c, COMPILE",
    "-x c++-header all.h -o all.pch, COMPILE",
    "a.c -o prog, LINK",
    "-include config.h a.c -o prog, LINK",
    "a.o -shared -o liba.so, LINK",
    "-r a.o b.o -o c.o, RELOCATABLE_LINK",
    "'-Wl,-r a.o b.o -o c.o', RELOCATABLE_LINK",
  })
  void shouldKnowWhatIsToBeDone(String words, Invocation.Task task) {
    var invocation = new Invocation(Mode.C, ArgumentReader.read(List.of(words.split(" "))));

    assertThat(invocation.task()).isEqualTo(task);
  }

  @Test
  void shouldTakeTheLastOutput() {
    var invocation = new Invocation(Mode.C, ArgumentReader.read(List.of("-o", "a", "x.c", "-ob")));

    assertThat(invocation.output()).contains("b");
  }

  @Test
  void shouldSplitResponseFilesAsAShellWould() {
    assertThat(ResponseFiles.split("a 'b c' \"d\\\"e\" f\\ g\n\"\"h"))
        .containsExactly("a", "b c", "d\"e", "f g", "h");
  }

  @Test
  void shouldWriteLongCommandLinesSoThatTheyReadTheSame(@TempDir Path folder) throws Exception {
    List<String> words = List.of("a b", "c\"d", "e\\f", "x".repeat(200_000));
    Path file = folder.resolve("words");

    assertThat(ResponseFiles.shortened(words, file)).containsExactly("@" + file);
    assertThat(new ResponseFiles(folder).expand(List.of("@words"))).isEqualTo(words);
  }
}
