package dev.perdure.testkit.litmus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LitmusProgramTest {

  @Test
  void shouldReadRulesAndLabels() throws LitmusFormatException {
    LitmusProgram program =
        parse(
            """
            /* LITMUS
             * command: run
             * options: --detect lockset
             * libs: -lpmem
             * expect: persistency-race store=S1 load=L1 level>=proven level<=observed evidence=lockset,happens-before
             * allow:  missing-flush store=S1
             * forbid: redundant-fence
             * END */
            x = 1; //@S1
            y = x; //@L1, S1
            z = y; //@L1 @L2
            """);

    assertThat(program.command()).isEqualTo(LitmusCommand.RUN);
    assertThat(program.setting("options")).isEqualTo("--detect lockset");
    assertThat(program.setting("libs")).isEqualTo("-lpmem");
    assertThat(program.setting("args")).isEmpty();
    Rule expect = program.expect().get(0);
    assertThat(expect.kind()).isEqualTo("persistency-race");
    assertThat(expect.roles()).containsEntry("store", Set.of(9, 10));
    assertThat(expect.roles()).containsEntry("load", Set.of(10, 11));
    assertThat(expect.atLeast()).hasValueSatisfying(l -> assertThat(l.label()).isEqualTo("proven"));
    assertThat(expect.atMost())
        .hasValueSatisfying(l -> assertThat(l.label()).isEqualTo("observed"));
    assertThat(expect.evidence()).hasSize(2);
    assertThat(program.allow()).hasSize(1);
    assertThat(program.forbid().get(0).roles()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x|no LITMUS ... END comment",
        "/* LITMUS~ * END */|unknown command ``",
        "/* LITMUS~ * command: walk~ * END */|unknown command `walk`",
        "/* LITMUS~ * command: run~ * colour: red~ * END */|cannot read the line `colour: red`",
        "/* LITMUS~ * command: run~ * expect:~ * END */|an empty rule",
        "/* LITMUS~ * command: run~ * expect: bug~ * END */|rule `bug`: unknown kind bug",
        "/* LITMUS~ * command: run~ * expect: missing-flush store=S1~ * END */|rule `missing-flush store=S1`: no line has the label S1",
        "/* LITMUS~ * command: run~ * expect: missing-flush level>=sure~ * END */|rule `missing-flush level>=sure`: unknown level sure",
        "/* LITMUS~ * command: run~ * expect: missing-flush evidence=luck~ * END */|rule `missing-flush evidence=luck`: unknown evidence luck",
        "/* LITMUS~ * command: run~ * expect: missing-flush level=proven~ * END */|rule `missing-flush level=proven`: cannot read `level=proven`",
        "/* LITMUS~ * command: fix~ * after-fix: dirty~ * END */|after-fix: dirty"
      })
  void shouldSayWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> parse(text.replace('~', '\n')))
        .isInstanceOf(LitmusFormatException.class)
        .hasMessage(message);
  }

  @Test
  void shouldReadTheWholeSuite() throws IOException, LitmusFormatException {
    var suite = new LitmusSuite(Path.of("../litmus"));

    for (Path program : suite.programs("")) {
      assertThat(LitmusProgram.read(program).command().label()).isNotEmpty();
    }
    assertThat(suite.programs("")).hasSizeGreaterThan(180);
    assertThat(suite.programs("litmus/races/*")).hasSizeGreaterThan(100);
  }

  @ParameterizedTest
  @CsvSource({
    "litmus/races/*, litmus/races/a.c, true",
    "a.c, litmus/races/a.c, true",
    "races, litmus/races/a.c, true",
    "*/flush/*, litmus/races/a.c, false",
    "[ab].c, litmus/races/a.c, true",
    "[!a].c, litmus/races/a.c, false",
    "?.c, litmus/races/a.c, true"
  })
  void shouldFilterByPattern(String glob, String name, boolean matches) {
    assertThat(LitmusSuite.matches(glob, name)).isEqualTo(matches);
  }

  @Test
  void shouldSplitWordsLikeAShell() throws LitmusFormatException {
    assertThat(ShellWords.split(" a  'b c' \"d \\\"e\" f\\ g '' \"x\\y\""))
        .containsExactly("a", "b c", "d \"e", "f g", "", "x\\y");
    assertThat(ShellWords.split("")).isEmpty();
    assertThatThrownBy(() -> ShellWords.split("'a")).hasMessageContaining("not closed");
  }

  private static LitmusProgram parse(String text) throws LitmusFormatException {
    return LitmusProgram.parse(Path.of("prog.c"), text);
  }
}
