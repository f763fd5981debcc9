package dev.perdure.fuzz.area;

/** What readers at sync points wait for, and where. */
public enum Waits {
  /** Before a load, for any store of the schedule. */
  FOR_ANY_STORE(AreaLayout.ANY_WORD),
  /** Before a load, for a store to the word that they are about to load. */
  FOR_THEIR_WORD(AreaLayout.SAME_WORD),
  /** Behind a load, for a store to the word that they have loaded. */
  BEHIND_LOADS(AreaLayout.LOADED_WORD);

  private final int number;

  Waits(int number) {
    this.number = number;
  }

  /** As the exploration area and saved schedules say it. */
  int number() {
    return number;
  }

  static Waits byNumber(long number) {
    for (Waits waits : values()) {
      if (waits.number == number) {
        return waits;
      }
    }
    throw new IllegalArgumentException("same-word " + number + ": 0, 1 or 3 is wanted");
  }
}
