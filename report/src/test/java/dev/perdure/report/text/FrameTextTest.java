package dev.perdure.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resize|resize",
        "ns::Table<int, std::less<int> >::insert(int const&)|ns::Table::insert",
        "void ns::Table<int>::insert(int)|ns::Table::insert",
        "(anonymous namespace)::Bucket::operator()(unsigned long)|Bucket::operator()",
        "Version::operator<(Version const&) const|Version::operator<",
        "main::{lambda()#1}::operator()() const|main::{lambda",
        "std::function<void (int)>::call(int)|std::function::call"
      })
  void shouldShortenNames(String function, String expected) {
    assertThat(FrameText.shortFunction(new Frame(function, "a.cpp", 1))).startsWith(expected);
  }

  @ParameterizedTest
  @CsvSource({"f,/a/b.c,3,b.c:3", "f,/a/b.c,0,b.c", "f,'',0,f", "'','',0,an unknown place"})
  void shouldNameWhatIsKnownOfAPlace(String function, String file, int line, String expected) {
    assertThat(FrameText.place(new Frame(function, file, line))).isEqualTo(expected);
  }

  @Test
  void shouldNameFunctionAndOffsetWithoutLines() {
    assertThat(FrameText.place(Frame.at("resize", "prog", 0x12))).isEqualTo("resize+0x12");
    assertThat(FrameText.place(Frame.at("prog", 0x1234))).isEqualTo("prog+0x1234");
    assertThat(FrameText.placeAndFunction(Frame.at("resize", "prog", 0x12)))
        .isEqualTo("resize+0x12  prog");
  }
}
