package dev.perdure.robust.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.robust.program.Extent;
import dev.perdure.robust.program.Location;
import dev.perdure.robust.program.Place;
import dev.perdure.robust.program.Term;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The transfer functions of escape and persistency (PMRobust, figures 8 and 9). */
class FlowStateTest {
  private static final Extent WORD = Extent.of(8, 8);
  private static final int X = 1;
  private static final int Y = 2;
  private static final int INDEX = 3;

  private final FlowState state = new FlowState();

  @Test
  void shouldEscapeWithAllAliases() {
    state.capture(X, Set.of(100));
    state.capture(Y, Set.of(100, 101));

    state.escape(X);

    assertThat(state.isEscaped(X)).isTrue();
    assertThat(state.isEscaped(Y)).isTrue();
  }

  @Test
  void shouldStayCapturedOnlyIfCapturedOnBothWays() {
    state.capture(X, Set.of(100));
    FlowState other = new FlowState();
    other.markEscaped(X);

    state.join(other);

    assertThat(state.isEscaped(X)).isTrue();
  }

  @Test
  void shouldEscapeWithAReferenceThatMeansItOnOneWayOnly() {
    state.capture(X, Set.of(100));
    state.capture(Y, Set.of(100));
    FlowState other = new FlowState();
    other.markEscaped(X);

    state.join(other);

    assertThat(state.isEscaped(Y)).isTrue();
  }

  @Test
  void shouldEscapeWithAReferenceThatMayMeanAnEscapedObject() {
    state.capture(X, Set.of(100));
    state.capture(INDEX, Set.of(100, 101));
    state.capture(Y, Set.of(101));

    state.escape(X);

    assertThat(state.isEscaped(Y)).isTrue();
  }

  @Test
  void shouldBeDirtyIfDirtyOnOneWay() {
    FlowState other = new FlowState();
    other.put(Location.at(X, 0), Cell.dirty(5, WORD));

    state.join(other);
    state.fence();

    assertThat(state.cells()).containsEntry(Location.at(X, 0), Cell.dirty(5, WORD));
  }

  @Test
  void shouldFlushWhatTheRangeCoversAndNothingElse() {
    state.put(Location.at(X, 0), Cell.dirty(1, WORD));
    state.put(Location.at(X, 16), Cell.dirty(2, WORD));
    state.put(Location.at(Y, 0), Cell.dirty(3, WORD));

    state.flush(new Place(Location.at(X, 0), Extent.of(16), 8), false);
    state.fence();

    assertThat(state.cells().keySet())
        .containsExactlyInAnyOrder(Location.at(X, 16), Location.at(Y, 0));
  }

  @Test
  void shouldKeepArrayElementsUncleanWhenTheirIndexIsLost() {
    Location element = new Location(X, List.of(new Term(INDEX, 8)), 0, true);
    state.put(element, Cell.dirty(1, WORD));

    state.define(INDEX);
    state.flush(new Place(element, WORD, 8), true);

    assertThat(state.cells()).containsOnlyKeys(Location.somewhereIn(X));
  }

  @Test
  void shouldKeepObjectsUncleanWhenTheirReferenceIsLost() {
    state.put(Location.at(X, 8), Cell.pending(1, WORD));

    state.define(X);

    assertThat(state.cells()).containsOnlyKeys(Location.ELSEWHERE);
  }
}
