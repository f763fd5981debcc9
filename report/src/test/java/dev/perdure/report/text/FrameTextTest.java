package dev.perdure.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  private static Place place(Frame... frames) {
    return new Place(
        new Site(List.of(frames[0])), new CallStack(List.of(frames).subList(1, frames.length)));
  }

  private static Optional<Frame> shownPersist(Place store, Place persist) {
    Map<Role, Place> places = Map.of(Role.STORE, store, Role.PERSIST, persist);
    return FrameText.shown(
        new Finding(
            FindingKind.PERSISTENCY_RACE,
            places,
            Map.of(),
            Set.of(),
            1,
            "",
            Optional.empty(),
            List.of()),
        Role.PERSIST);
  }

  @Test
  void shouldShowWhereAHelperInAHeaderIsCalled() {
    Frame insert = new Frame("insert", "tree.c", 7);
    Place persist = place(new Frame("persist", "flush.h", 3), new Frame("insert", "tree.c", 9));

    assertThat(shownPersist(place(insert), persist)).contains(persist.stack().get(0));
  }

  @Test
  void shouldShowPersistsOfHeaderOnlyCodeInTheHeader() {
    Frame main = new Frame("main", "main.cpp", 5);
    Frame insert = new Frame("insert", "tree.hpp", 7);
    Frame after = new Frame("insert", "tree.hpp", 9);
    Frame helper = new Frame("persist", "tree.hpp", 3);
    Frame other = new Frame("split", "tree.hpp", 12);
    Place store = place(insert, main);

    assertThat(shownPersist(store, place(after, main))).contains(after);
    assertThat(shownPersist(store, place(helper, after, main))).contains(after);
    assertThat(shownPersist(store, place(helper, other, main))).contains(helper);
  }

  @Test
  void shouldNameFunctionAndOffsetWithoutLines() {
    assertThat(FrameText.place(Frame.at("resize", "prog", 0x12))).isEqualTo("resize+0x12");
    assertThat(FrameText.place(Frame.at("prog", 0x1234))).isEqualTo("prog+0x1234");
    assertThat(FrameText.placeAndFunction(Frame.at("resize", "prog", 0x12)))
        .isEqualTo("resize+0x12  prog");
  }
}
