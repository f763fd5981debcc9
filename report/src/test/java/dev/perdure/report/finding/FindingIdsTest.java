package dev.perdure.report.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.report.SampleReports;
import dev.perdure.report.source.SourceExcerpts;
import dev.perdure.report.source.SourceLines;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FindingIdsTest {

  @Test
  void shouldStartWithTheLettersOfTheKind() {
    assertThat(id(missingFlush("f", 3), source(3, "x = 1;"))).matches("MF-[0-9A-F]{6}");
  }

  @Test
  void shouldNotDependOnTheLineNumber() {
    assertThat(id(missingFlush("f", 3), source(3, "x = 1;")))
        .isEqualTo(id(missingFlush("f", 90), source(90, "  x = 1;  ")));
  }

  @Test
  void shouldDependOnFunctionAndSourceText() {
    String id = id(missingFlush("f", 3), source(3, "x = 1;"));

    assertThat(id(missingFlush("g", 3), source(3, "x = 1;"))).isNotEqualTo(id);
    assertThat(id(missingFlush("f", 3), source(3, "x = 2;"))).isNotEqualTo(id);
  }

  @Test
  void shouldNumberFindingsThatLookTheSame() {
    SourceLines source = (file, line) -> Optional.of("x = 1;");
    Finding first = missingFlush("f", 3);
    Finding second = missingFlush("f", 30);

    Map<Finding, String> ids = new FindingIds(source).of(List.of(second, first));

    assertThat(ids.get(first)).isEqualTo(id(first, source)).isNotEqualTo(ids.get(second));
    assertThat(ids.keySet()).containsExactly(first, second);
  }

  @Test
  void shouldTellFailuresOfAProgramApart() {
    Finding hang = failure("the program did not come to an end");
    Finding crash = failure("the program was ended by signal 11");

    assertThat(id(hang, SourceLines.none())).isNotEqualTo(id(crash, SourceLines.none()));
  }

  private static Finding failure(String how) {
    return new Finding(
        FindingKind.TARGET_FAILURE,
        Map.of(),
        Map.of(),
        Set.of(),
        1,
        how,
        Optional.empty(),
        List.of());
  }

  @Test
  void shouldUseOffsetsWhereThereAreNoLines() {
    Finding first = at(Frame.at("f", "prog", 0x12));
    Finding second = at(Frame.at("f", "prog", 0x20));

    String both = new FindingIds(SourceLines.none()).of(List.of(first, second)).get(second);

    assertThat(both).isEqualTo(new FindingIds(SourceLines.none()).of(List.of(second)).get(second));
  }

  private static Finding at(Frame frame) {
    return missingFlush("f", 3)
        .with(Map.of(Role.STORE, new Place(new Site(List.of(frame)), CallStack.EMPTY)), Map.of());
  }

  @Test
  void shouldTellFindingsApartWithoutSource() {
    Map<Finding, String> ids =
        new FindingIds(SourceLines.none()).of(List.of(missingFlush("f", 3), missingFlush("f", 4)));

    assertThat(ids.values()).doesNotHaveDuplicates();
  }

  @Test
  void shouldIdentifyARaceByStoreAndLoadOnly() {
    Finding race = SampleReports.lateRace();
    Finding elsewhere =
        new Finding(
            race.kind(),
            Map.of(
                Role.STORE, race.places().get(Role.STORE),
                Role.LOAD, race.places().get(Role.LOAD)),
            Map.of(),
            race.evidence(),
            1,
            "",
            Optional.empty(),
            List.of());

    assertThat(id(race, SampleReports.SOURCE)).isEqualTo(id(elsewhere, SampleReports.SOURCE));
  }

  @Test
  void shouldIdentifyANeedlessFlushByFourOfItsCallers() {
    Frame flush = new Frame("persist", "pm.c", 5);
    Frame a = new Frame("a", "x.c", 1);
    Frame b = new Frame("b", "x.c", 2);

    String calledByA = id(needless(SampleReports.place(flush, a, a, a, a, a)), SourceLines.none());

    assertThat(id(needless(SampleReports.place(flush, a, a, a, b, a)), SourceLines.none()))
        .isNotEqualTo(calledByA);
    assertThat(id(needless(SampleReports.place(flush, a, a, a, a, b)), SourceLines.none()))
        .isEqualTo(calledByA);
  }

  @Test
  void shouldNeverGiveOneIdTwice() {
    List<Finding> many =
        IntStream.range(0, 20_000).mapToObj(i -> missingFlush("f" + i, 1)).toList();

    assertThat(new FindingIds(SourceLines.none()).of(many).values()).doesNotHaveDuplicates();
  }

  private static String id(Finding finding, SourceLines source) {
    return new FindingIds(source).of(List.of(finding)).get(finding);
  }

  private static SourceLines source(int line, String text) {
    return new SourceExcerpts(Map.of(new SourceExcerpts.Key("a.c", line), text));
  }

  private static Finding missingFlush(String function, int line) {
    return finding(
        FindingKind.MISSING_FLUSH,
        Role.STORE,
        SampleReports.place(new Frame(function, "a.c", line)));
  }

  private static Finding needless(Place place) {
    return finding(FindingKind.REDUNDANT_FLUSH, Role.PERSIST, place);
  }

  private static Finding finding(FindingKind kind, Role role, Place place) {
    return new Finding(
        kind, Map.of(role, place), Map.of(), Set.of(), 1, "", Optional.empty(), List.of());
  }
}
