package dev.perdure.model.code;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/** Sites that are found when they are asked for, and then kept. */
final class LazySites extends AbstractList<Site> implements RandomAccess {
  private final Site[] known;
  private final Function<int[], List<Site>> source;

  LazySites(int count, Function<int[], List<Site>> source) {
    this.known = new Site[count];
    this.source = source;
  }

  synchronized void find(int[] numbers) {
    int[] wanted = Arrays.stream(numbers).filter(n -> known[n] == null).distinct().toArray();
    List<Site> found = wanted.length == 0 ? List.of() : source.apply(wanted);
    for (int i = 0; i < wanted.length; i++) {
      known[wanted[i]] = found.get(i);
    }
  }

  @Override
  public synchronized Site get(int index) {
    if (known[index] == null) {
      find(new int[] {index});
    }
    return known[index];
  }

  @Override
  public int size() {
    return known.length;
  }
}
