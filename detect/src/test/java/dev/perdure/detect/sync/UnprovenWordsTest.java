package dev.perdure.detect.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnprovenWordsTest {
  private static final int CLAIM = 7;
  private static final int LOCK = 8;
  private static final int HUNDREDS = 5 * UnprovenWords.MOST;

  private final LockRegistry registry = new LockRegistry();
  private final Locksets sets = new Locksets();
  private ThreadState thread;

  @BeforeEach
  void start() {
    thread = new Threads(sets, false, index -> true, new Moments()).of(1);
  }

  private LockWord take(int site, long address) {
    LockWord word = new LockWord(address);
    take(site, word);
    return word;
  }

  private void take(int site, LockWord word) {
    word.modified(thread, site, 0, 5, true, registry);
  }

  private void free(LockWord word) {
    word.stored(thread, 0, registry);
  }

  private int held() {
    return sets.size(thread.held().set());
  }

  @Test
  void shouldHoldAFewWordsThatMayBeLocks() {
    for (int i = 0; i < UnprovenWords.MOST; i++) {
      take(CLAIM, 8L * i);
    }
    assertThat(held()).isEqualTo(UnprovenWords.MOST);
  }

  @Test
  void shouldHoldNoneOfTheHundredsOfWordsThatAnInstructionClaimsForGood() {
    take(LOCK, 0);
    for (int i = 1; i <= HUNDREDS; i++) {
      take(CLAIM, 8L * i);
    }
    assertThat(held()).isEqualTo(1);
  }

  @Test
  void shouldCountOnlyWordsThatAreHeldAtATime() {
    for (int i = 0; i < HUNDREDS; i++) {
      LockWord word = take(CLAIM, 8L * i);
      word.stored(thread, 9, registry); // none: it ends in another state
    }
    take(CLAIM, 8L * HUNDREDS);
    assertThat(held()).isEqualTo(1);
  }

  @Test
  void shouldHoldWhatIsKnownToBeALockAndWhatIsTakenByItsInstruction() {
    LockWord first = take(CLAIM, 0);
    for (int i = 1; i <= HUNDREDS; i++) {
      take(CLAIM, 8L * i);
    }
    free(first);
    take(CLAIM, first);
    take(CLAIM, 8L * HUNDREDS + 8);
    assertThat(held()).isEqualTo(2);
    free(first);
    assertThat(held()).isEqualTo(1);
  }
}
