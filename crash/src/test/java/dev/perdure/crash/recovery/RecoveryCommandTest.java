package dev.perdure.crash.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryCommandTest {
  private static List<String> words(String line) {
    return RecoveryCommand.parse(line, List.of("/p/a b", "/p/second"), 1000).words();
  }

  @Test
  void shouldSplitPlainWordsAndQuotesByItself() {
    assertThat(words("./prog {pm} 'x y' \"z\"")).containsExactly("./prog", "/p/a b", "x y", "z");
  }

  @Test
  void shouldNameFurtherPoolsByTheirNumber() {
    assertThat(words("./prog --a={pm2} {pm1}".replace("=", " ")))
        .containsExactly("./prog", "--a", "/p/second", "/p/a b");
  }

  @Test
  void shouldGiveWhatNeedsAShellToAShell() {
    assertThat(words("cat {pm} | wc -c")).containsExactly("/bin/sh", "-c", "cat '/p/a b' | wc -c");
    assertThat(words("echo $HOME").get(0)).isEqualTo("/bin/sh");
    assertThat(words("A=1 ./prog").get(0)).isEqualTo("/bin/sh");
  }
}
