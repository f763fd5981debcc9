package dev.perdure.robust.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceTest {
  private static final Extent WORD = Extent.of(8, 8);
  private static final int BASE = 1;

  @Test
  void shouldShareALineOnlyAsFarAsTheAlignmentSays() {
    Place aligned = new Place(Location.at(BASE, 56), WORD, 64);
    Place unaligned = new Place(Location.at(BASE, 56), WORD, 8);

    assertThat(aligned.sharesLine(Location.at(BASE, 0), WORD)).isTrue();
    assertThat(aligned.sharesLine(Location.at(BASE, 64), WORD)).isFalse();
    assertThat(unaligned.sharesLine(Location.at(BASE, 48), WORD)).isFalse();
    assertThat(aligned.sharesLine(Location.at(BASE + 1, 0), WORD)).isFalse();
    assertThat(aligned.sharesLine(Location.at(BASE, 0), Extent.of(65))).isFalse();
    assertThat(aligned.sharesLine(Location.somewhereIn(BASE), WORD)).isFalse();
  }

  @Test
  void shouldCoverAVariableRangeByTheSameVariable() {
    Place range = new Place(Location.at(BASE, 8), Extent.held(7, 1), 8);

    assertThat(range.covers(Location.at(BASE, 8), Extent.held(7, 1))).isTrue();
    assertThat(range.covers(Location.at(BASE, 8), Extent.held(9, 1))).isFalse();
    assertThat(range.covers(Location.at(BASE, 16), WORD)).isFalse();
  }
}
