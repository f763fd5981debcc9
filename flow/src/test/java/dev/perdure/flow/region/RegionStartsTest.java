package dev.perdure.flow.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.flow.graph.Dominators;
import dev.perdure.flow.region.Machine.Address;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RegionStartsTest {
  private static final int FUNCTIONS = 4000;

  @Test
  void shouldStartOnlyWhereAllThreeRulesHold() {
    Random random = new Random(3);
    int beyondTheBlock = 0;
    int rewritten = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
      Machine machine = Machine.random(random, 7, true);
      Place access = somewhere(machine, random);
      Address address = new Address(random.nextInt(Machine.REGISTERS), 0);
      AllPaths paths = new AllPaths(machine, access);
      List<Start<Address>> starts = new RegionStarts<>(machine.graph, machine).of(access, address);
      assertThat(starts).isNotEmpty();
      for (Start<Address> start : starts) {
        String where = "function %d: %s of %s".formatted(i, start, access);
        assertThat(paths.arriveWithoutAcquire(start.place())).as(where).isTrue();
        assertThat(paths.agreeOnAddress(start.place(), start.address(), address))
            .as(where)
            .isTrue();
        beyondTheBlock += start.place().block() != access.block() ? 1 : 0;
        rewritten += start.address().equals(address) ? 0 : 1;
      }
    }
    assertThat(beyondTheBlock).isGreaterThan(FUNCTIONS / 10);
    assertThat(rewritten).isGreaterThan(FUNCTIONS / 20);
  }

  @Test
  void shouldGoBackAsFarAsAlgorithmOneWithRulesByAllPaths() {
    Random random = new Random(4);
    for (int i = 0; i < FUNCTIONS; i++) {
      Machine machine = Machine.random(random, 8, false);
      Place access = somewhere(machine, random);
      Set<Place> starts =
          new RegionStarts<>(machine.graph, machine)
              .of(access, new Address(0, 0)).stream().map(Start::place).collect(Collectors.toSet());
      assertThat(starts).as("function %d, %s", i, access).isEqualTo(algorithmOne(machine, access));
    }
  }

  /** The paper's text, with paths in place of data flow; the address never changes. */
  private static Set<Place> algorithmOne(Machine machine, Place access) {
    AllPaths paths = new AllPaths(machine, access);
    Dominators dominators = Dominators.of(machine.graph);
    Set<Place> starts = new HashSet<>();
    Set<Integer> seen = new HashSet<>(Set.of(access.block()));
    Deque<Place> work = new ArrayDeque<>(List.of(access));
    while (!work.isEmpty()) {
      Place place = work.remove();
      int index = place.index();
      while (index > 0 && !machine.acquires(place.block(), index - 1)) {
        index--;
      }
      boolean walkable = index == 0 && place.block() != 0;
      boolean any = false;
      for (int before : machine.graph.predecessors(place.block())) {
        if (!dominators.dominates(access.block(), before)) {
          any = true;
          int end = machine.length(before);
          walkable &= end > 0 && !machine.acquires(before, end - 1);
          walkable &= paths.arriveWithoutAcquire(new Place(before, end));
        }
      }
      if (!walkable || !any) {
        starts.add(new Place(place.block(), index));
        continue;
      }
      for (int before : machine.graph.predecessors(place.block())) {
        if (!dominators.dominates(access.block(), before) && seen.add(before)) {
          work.add(new Place(before, machine.length(before)));
        }
      }
    }
    return starts.isEmpty() ? Set.of(new Place(access.block(), 0)) : starts;
  }

  private static Place somewhere(Machine machine, Random random) {
    int block = random.nextInt(machine.graph.size());
    return new Place(block, random.nextInt(machine.length(block)));
  }
}
