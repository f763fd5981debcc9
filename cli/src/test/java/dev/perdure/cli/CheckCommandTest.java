package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CheckCommandTest {
  @Test
  void shouldTellPerduresOptionsFromTheCompilersAndTheProgramsArguments() {
    CheckCommand check = new CheckCommand();
    List<String> own = new ArrayList<>();
    check.split(
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
        new CommandLine(check).getCommandSpec().optionsMap(),
        own);
    assertThat(own).containsExactly("--pm", "pool", "--json=out.json", "--quiet");
    assertThat(check.compilerArguments())
        .containsExactly("table.c", "-O2", "-I", "include", "-DX=1", "-lpmem");
    assertThat(check.programArguments()).containsExactly("pool", "--json");
  }
}
