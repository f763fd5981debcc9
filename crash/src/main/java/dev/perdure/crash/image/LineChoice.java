package dev.perdure.crash.image;

import dev.perdure.crash.memory.OpenStores;
import dev.perdure.crash.memory.StoreUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Which stores of one line have reached memory: the first few of the ordinary ones, and any of
 * those that may overtake.
 *
 * @param prefix how many ordinary units
 * @param overtaking a bit for each unit of any order
 */
record LineChoice(int prefix, long overtaking) {
  private static final int MOST_OVERTAKING = 16;

  /** How many choices a line has. */
  static long count(OpenStores line) {
    long any = line.units().stream().filter(StoreUnit::anyOrder).count();
    long ordered = line.units().size() - any;
    return (ordered + 1) << Math.min(any, 40);
  }

  /** The n-th choice, in the order of {@link #count}: 0 is none of the stores, the last is all. */
  static LineChoice numbered(OpenStores line, long n) {
    int any = (int) line.units().stream().filter(StoreUnit::anyOrder).count();
    int bits = Math.min(any, 40);
    long overtaking = n & (1L << bits) - 1;
    if (any > MOST_OVERTAKING && overtaking == (1L << bits) - 1) {
      overtaking = -1L;
    }
    return new LineChoice((int) (n >>> bits), overtaking);
  }

  /** The units that are in memory then, in the order of their stores. */
  List<StoreUnit> chosen(OpenStores line) {
    List<StoreUnit> chosen = new ArrayList<>();
    int ordered = 0;
    int any = 0;
    for (StoreUnit unit : line.units()) {
      boolean in =
          unit.anyOrder()
              ? any >= Long.SIZE || (overtaking & 1L << any++) != 0
              : ordered++ < prefix;
      if (in) {
        chosen.add(unit);
      }
    }
    return chosen;
  }
}
