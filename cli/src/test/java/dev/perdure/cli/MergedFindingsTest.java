package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Evidence;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Level;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergedFindingsTest {
  private static Place at(int line, String caller) {
    return new Place(
        new Site(List.of(new Frame("put", "table.c", line))),
        new CallStack(List.of(new Frame(caller, "main.c", 1))));
  }

  private static Finding race(int line, String caller, long count, Evidence... evidence) {
    return new Finding(
        FindingKind.PERSISTENCY_RACE,
        Map.of(Role.STORE, at(line, caller), Role.LOAD, at(99, caller)),
        Map.of(),
        Set.of(evidence),
        count,
        "a race seen from " + caller,
        Optional.empty(),
        List.of());
  }

  private static Finding own(Optional<DurableEffect.Recovery> recovery) {
    return new Finding(
        FindingKind.INTRA_THREAD_INCONSISTENCY,
        Map.of(Role.STORE, at(7, "first"), Role.LOAD, at(9, "first"), Role.EFFECT, at(11, "first")),
        Map.of(),
        Set.of(),
        1,
        "own data",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.of(new DurableEffect(DurableEffect.Flow.CONTENT, 64, 8, 1, 5, 1, recovery)));
  }

  @Test
  void shouldKeepWhatRecoveryMadeOfAnEffectWheneverThatIsKnown() {
    Optional<DurableEffect.Recovery> recovered = Optional.of(DurableEffect.Recovery.RECOVERED);
    for (List<Finding> order :
        List.of(
            List.of(own(Optional.empty()), own(recovered)),
            List.of(own(recovered), own(Optional.empty())))) {
      MergedFindings merged = new MergedFindings();
      order.forEach(f -> merged.add(List.of(f)));
      assertThat(merged.all()).hasSize(1);
      assertThat(merged.all().get(0).effect().orElseThrow().recovery()).isEqualTo(recovered);
    }
  }

  @Test
  void shouldShowTheEffectThatRecoveryDoesLeastAbout() {
    Optional<DurableEffect.Recovery> recovered = Optional.of(DurableEffect.Recovery.RECOVERED);
    Optional<DurableEffect.Recovery> not = Optional.of(DurableEffect.Recovery.NOT_RECOVERED);
    MergedFindings merged = new MergedFindings();
    merged.add(List.of(own(recovered)));
    merged.add(List.of(own(not)));
    merged.add(List.of(own(recovered)));
    assertThat(merged.all().get(0).effect().orElseThrow().recovery()).isEqualTo(not);
  }

  @Test
  void shouldMergeThePairsOfTwoRunsWhateverTheirCallers() {
    MergedFindings merged = new MergedFindings();
    merged.add(List.of(race(7, "first", 2, Evidence.LOCKSET)));
    merged.add(
        List.of(
            race(7, "second", 3, Evidence.HAPPENS_BEFORE), race(8, "second", 1, Evidence.LOCKSET)));
    assertThat(merged.all()).hasSize(2);
    Finding pair = merged.all().get(0);
    assertThat(pair.count()).isEqualTo(5);
    assertThat(pair.evidence())
        .containsExactlyInAnyOrder(Evidence.LOCKSET, Evidence.HAPPENS_BEFORE);
    assertThat(pair.level()).isEqualTo(Level.PROVEN);
    assertThat(pair.message()).contains("second");
  }
}
