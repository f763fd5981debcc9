package dev.perdure.robust.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.robust.program.Extent;
import org.junit.jupiter.api.Test;

/** The lattice of persistency states (PMRobust, figure 7): clean, then clwb, then dirty. */
class CellTest {
  private static final Extent WORD = Extent.of(8, 8);

  @Test
  void shouldBecomePendingByAFlushAndCleanByAFence() {
    Cell cell = Cell.dirty(7, WORD);

    assertThat(cell.fenced()).isEqualTo(cell);
    assertThat(cell.flushed()).isEqualTo(Cell.pending(7, WORD));
    assertThat(cell.flushed().fenced().isClean()).isTrue();
  }

  @Test
  void shouldMeetAtTheLowerState() {
    Cell both = Cell.dirty(1, WORD).union(Cell.pending(2, WORD));

    assertThat(both.dirty().contains(1)).isTrue();
    assertThat(both.pending().contains(2)).isTrue();
    assertThat(both.fenced()).isEqualTo(Cell.dirty(1, WORD));
  }

  @Test
  void shouldMeetInAnyOrderAndMoreThanOnce() {
    Cell a = Cell.dirty(3, WORD).union(Cell.pending(1, WORD));
    Cell b = Cell.pending(2, WORD).union(Cell.dirty(1, WORD));

    assertThat(a.union(b)).isEqualTo(b.union(a));
    assertThat(a.union(b).union(a)).isEqualTo(a.union(b));
    assertThat(a.union(a)).isSameAs(a);
  }

  @Test
  void shouldCoverTheLargerExtent() {
    Cell both = Cell.dirty(1, WORD).union(Cell.dirty(2, Extent.of(40)));

    assertThat(both.extent()).isEqualTo(Extent.of(40));
    assertThat(both.union(Cell.dirty(3, Extent.held(5, 1))).extent()).isEqualTo(Extent.STRING);
  }
}
