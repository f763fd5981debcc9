package dev.perdure.robust.pm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ValueAliasesTest {
  private static final long ENOUGH = 1_000_000;

  private final PointerGraph graph = new PointerGraph();

  @Test
  void shouldGoBackToACommonSourceAndForwardAgain() {
    graph.assign(1, 2);
    graph.assign(1, 3);
    graph.assign(4, 3);

    assertThat(aliases(2)).containsExactly(1, 2, 3);
    assertThat(aliases(3)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void shouldPassThroughMemoryWherePlacesAreAliases() {
    graph.assign(10, 11);
    graph.store(new PointerGraph.Access(10, 1, PointerGraph.ANY_FIELD));
    graph.load(new PointerGraph.Access(11, 2, PointerGraph.ANY_FIELD));

    assertThat(aliases(1)).containsExactly(1, 2);
    assertThat(aliases(2)).containsExactly(1, 2);
  }

  @Test
  void shouldTellFieldsApart() {
    graph.store(new PointerGraph.Access(10, 1, 5));
    graph.load(new PointerGraph.Access(10, 2, 6));
    graph.load(new PointerGraph.Access(10, 3, PointerGraph.ANY_FIELD));

    assertThat(aliases(1)).containsExactly(1, 3);
  }

  @Test
  void shouldGiveNoAnswerWhereItWouldTakeTooLong() {
    for (int i = 0; i < 100; i++) {
      graph.assign(i, i + 1);
    }

    assertThat(new ValueAliases(graph, 10).of(100)).isEmpty();
  }

  /** Unification may only add to what the precise search finds. */
  @Test
  void shouldBeWithinTheClassesOfUnification() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      PointerGraph any = new PointerGraph();
      for (int i = 0; i < 25; i++) {
        int a = random.nextInt(20);
        int b = random.nextInt(20);
        switch (random.nextInt(3)) {
          case 0 -> any.assign(a, b);
          case 1 -> any.load(new PointerGraph.Access(a, b, random.nextInt(3)));
          default -> any.store(new PointerGraph.Access(a, b, random.nextInt(3)));
        }
      }
      PointerClasses classes = new PointerClasses(any);
      ValueAliases precise = new ValueAliases(any, ENOUGH);
      for (int value = 0; value < any.size(); value++) {
        assertThat(members(classes.of(value)))
            .containsAll(members(precise.of(value).orElseThrow()));
      }
    }
  }

  private Set<Integer> aliases(int value) {
    return members(new ValueAliases(graph, ENOUGH).of(value).orElseThrow());
  }

  private static Set<Integer> members(IntSet set) {
    Set<Integer> members = new TreeSet<>();
    for (int i = 0; i < set.size(); i++) {
      members.add(set.get(i));
    }
    return members;
  }
}
