package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CompilerWordsTest {
  @Test
  void shouldTellPerduresOptionsFromTheCompilersAndTheProgramsArguments() {
    CompilerWords words =
        CompilerWords.split(
            List.of(
                "table.c",
                "-O2",
                "--pm",
                "pool",
                "-I",
                "include",
                "--json=out.json",
                "-DX=1",
                "--quiet",
                "-lpmem",
                "--",
                "pool",
                "--json"),
            new CommandLine(new CheckCommand()).getCommandSpec().optionsMap());
    assertThat(words.own()).containsExactly("--pm", "pool", "--json=out.json", "--quiet");
    assertThat(words.compiler())
        .containsExactly("table.c", "-O2", "-I", "include", "-DX=1", "-lpmem");
    assertThat(words.program()).containsExactly("pool", "--json");
  }
}
