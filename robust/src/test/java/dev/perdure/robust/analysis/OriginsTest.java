package dev.perdure.robust.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OriginsTest {
  @Test
  void shouldAgreeWithOrdinarySets() {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      Set<Integer> first = numbers(random);
      Set<Integer> second = numbers(random);
      Set<Integer> both = new TreeSet<>(first);
      both.addAll(second);

      assertThat(members(origins(first).union(origins(second)))).isEqualTo(both);
      both.removeIf(n -> n % 3 == 0);
      assertThat(members(origins(first).union(origins(second)).without(n -> n % 3 == 0)))
          .isEqualTo(both);
    }
  }

  @Test
  void shouldStayTheSameObjectWhereNothingChanges() {
    Origins three = Origins.of(1).union(Origins.of(2)).union(Origins.of(3));

    assertThat(three.union(Origins.of(2))).isSameAs(three);
    assertThat(Origins.of(2).union(three)).isSameAs(three);
    assertThat(three.without(n -> n > 3)).isSameAs(three);
    assertThat(three.without(n -> true)).isSameAs(Origins.NONE);
  }

  private static Set<Integer> numbers(Random random) {
    return random
        .ints(random.nextInt(6), -5, 12)
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Origins origins(Set<Integer> numbers) {
    Origins origins = Origins.NONE;
    for (int number : numbers) {
      origins = origins.union(Origins.of(number));
    }
    return origins;
  }

  private static Set<Integer> members(Origins origins) {
    return origins.stream().boxed().collect(Collectors.toCollection(TreeSet::new));
  }
}
