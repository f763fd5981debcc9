package dev.perdure.crash.point;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.crash.memory.PoolRange;
import org.junit.jupiter.api.Test;

class WordHistoryTest {
  private final WordHistory history = new WordHistory(new SyncWord(new PoolRange(0, 8), 0, -1));

  @Test
  void shouldNameTheLastStoreOfEachValue() {
    history.written(1, 10);
    history.written(0, 11);
    history.written(1, 12);
    assertThat(history.storeOf(1)).isEqualTo(12);
    assertThat(history.storeOf(0)).isEqualTo(11);
    assertThat(history.storeOf(9)).isZero();
  }

  @Test
  void shouldStayAsItWasAtAFailure() {
    history.written(1, 10);
    WordHistory atFailure = history.copy();
    history.written(1, 12);
    assertThat(atFailure.storeOf(1)).isEqualTo(10);
  }

  @Test
  void shouldTellVersionsOfALockBitNotApart() {
    WordHistory versions = new WordHistory(new SyncWord(new PoolRange(0, 8), 0, 2));
    versions.written(2, 10);
    versions.written(4, 11);
    versions.written(6, 12);
    assertThat(versions.storeOf(2)).isEqualTo(12);
    assertThat(versions.storeOf(8)).isEqualTo(11);
    assertThat(versions.word().isInitial(4)).isTrue();
    assertThat(versions.word().isInitial(6)).isFalse();
  }
}
