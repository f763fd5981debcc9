package dev.perdure.model.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramePatternTest {
  @Test
  void shouldMatchLibraries() {
    Frame inside = Frame.at("tx_commit", "libpmemobj.so.1", 5);

    assertThat(FramePattern.parse("libpmemobj.so.*").matches(inside)).isTrue();
    assertThat(FramePattern.parse("libpmemobj.so.1").matches(inside)).isTrue();
    assertThat(FramePattern.parse("libpmem.so.1").matches(inside)).isFalse();
    assertThat(FramePattern.parse("tx_commit").matches(inside)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resize|resize|a.c|1",
        "Table::resize|Table::resize(int)|a.cpp|1",
        "resize|ns::Table<(char)3>::resize(int) const|a.cpp|1",
        "ns::*|ns::Table::resize(int)|a.cpp|1",
        "f(int)|f(int)|a.cpp|1",
        "(anonymous namespace)::f|(anonymous namespace)::f(int)|a.cpp|1",
        "table.c|f|/src/table.c|9",
        "src/table.c|f|/work/src/table.c|9",
        "table.c:9|f|/src/table.c|9",
        "operator/|operator/|a.cpp|1"
      })
  void shouldMatch(String pattern, String function, String file, int line) {
    assertThat(FramePattern.parse(pattern).matches(new Frame(function, file, line))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resize|resize_all|a.c|1",
        "table.c|table.c|/src/other.c|9",
        "table.c|f|/src/mytable.c|9",
        "table.c:9|f|/src/table.c|10",
        "a.b|aXb|x.c|1"
      })
  void shouldNotMatch(String pattern, String function, String file, int line) {
    assertThat(FramePattern.parse(pattern).matches(new Frame(function, file, line))).isFalse();
  }
}
