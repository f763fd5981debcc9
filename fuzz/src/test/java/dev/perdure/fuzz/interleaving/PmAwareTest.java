package dev.perdure.fuzz.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.fuzz.area.ExplorationArea;
import dev.perdure.fuzz.area.Schedule;
import dev.perdure.fuzz.area.SyncPoint;
import dev.perdure.fuzz.area.Waits;
import dev.perdure.fuzz.coverage.AliasPairs;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PmAwareTest {
  private static final long X = 0x200000000040L;

  @TempDir Path folder;

  private static Event access(int kind, int thread, long address, int site) {
    return new Event().set(kind, 8, thread, 0, address, site, 0, 0);
  }

  private static List<SharedAccess> entries(Event... events) {
    SharedAccesses shared = new SharedAccesses();
    for (Event e : events) {
      EventHandler.dispatch(e, shared);
    }
    return shared.entries();
  }

  private static void learn(PmAware strategy, List<SharedAccess> entries, Set<Meeting> met) {
    strategy.learn(new Sharing(entries, met, Set.of(), Set.of()));
  }

  @Test
  void shouldFindLoadsAndStoresOfDifferentThreadsToOneWord() {
    List<SharedAccess> entries =
        entries(
            access(EventKind.STORE, 1, X, 10),
            access(EventKind.LOAD, 2, X + 4, 20),
            access(EventKind.LOAD, 1, X, 30),
            access(EventKind.STORE, 1, X + 64, 40),
            access(EventKind.LOAD, 1, X + 64, 50));
    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).loads()).containsExactly(20);
    assertThat(entries.get(0).stores()).containsExactly(10);
  }

  @Test
  void shouldTakeEntriesByFrequencyAndEachOnce() {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    SharedAccess rare = new SharedAccess(Set.of(1), Set.of(2), 3);
    SharedAccess frequent = new SharedAccess(Set.of(7), Set.of(8), 9);
    Set<Meeting> met = Set.of(new Meeting(1, 2), new Meeting(7, 8));
    learn(strategy, List.of(frequent, rare), met);
    learn(strategy, List.of(frequent), Set.of());
    Schedule first = strategy.next(1).orElseThrow();
    assertThat(first.points())
        .containsExactlyInAnyOrder(new SyncPoint(7, true, 0), new SyncPoint(8, false, 0));
    assertThat(strategy.next(2).orElseThrow().points())
        .containsExactlyInAnyOrder(new SyncPoint(1, true, 0), new SyncPoint(2, false, 0));
    assertThat(strategy.next(3)).isEqualTo(Optional.empty());
  }

  @Test
  void shouldTryEachStoreOfAnEntryAlone() {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    strategy.begin();
    Set<Meeting> met = Set.of(new Meeting(1, 2), new Meeting(1, 3));
    learn(strategy, List.of(new SharedAccess(Set.of(1), Set.of(2, 3), 10)), met);
    List<Set<Integer>> stores = new ArrayList<>();
    for (var schedule = strategy.next(1); schedule.isPresent(); schedule = strategy.next(1)) {
      stores.add(
          schedule.get().points().stream()
              .filter(p -> !p.load())
              .map(SyncPoint::site)
              .collect(Collectors.toSet()));
    }
    assertThat(stores).containsExactly(Set.of(2, 3), Set.of(2), Set.of(3));
  }

  @Test
  void shouldLetTheLeastTriedOfThoseMeetThatHaveNot() {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    SharedAccess entry = new SharedAccess(Set.of(1, 4), Set.of(2), 10);
    learn(strategy, List.of(entry), Set.of(new Meeting(4, 2)));
    strategy.next(1);
    Schedule meeting = strategy.next(2).orElseThrow();
    assertThat(meeting.waits()).isEqualTo(Waits.FOR_THEIR_WORD);
    assertThat(meeting.points())
        .containsExactlyInAnyOrder(new SyncPoint(1, true, 0), new SyncPoint(2, false, 0));
  }

  @Test
  void shouldTryAnEntryAgainWhoseStoreDidNotCome() throws Exception {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    learn(strategy, List.of(new SharedAccess(Set.of(7), Set.of(8), 9)), Set.of());
    Schedule schedule = strategy.next(1).orElseThrow();
    strategy.explored(schedule, ExplorationArea.create(folder.resolve("area"), schedule, false));
    assertThat(strategy.next(2)).isPresent();
  }

  @Test
  void shouldPreferWhatHasNotMetYetWithAnyInput() {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    SharedAccess rare = new SharedAccess(Set.of(1), Set.of(2), 3);
    SharedAccess frequent = new SharedAccess(Set.of(7), Set.of(8), 9);
    learn(strategy, List.of(frequent, rare), Set.of(new Meeting(7, 8)));
    strategy.begin();
    learn(strategy, List.of(frequent, rare), Set.of());
    assertThat(strategy.next(2).orElseThrow().points()).contains(new SyncPoint(1, true, 0));
  }

  @Test
  void shouldWaitForTheSameWordWhenAnyStoreDidNotCome() throws Exception {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    Set<Meeting> met = Set.of(new Meeting(7, 8));
    learn(strategy, List.of(new SharedAccess(Set.of(7), Set.of(8), 9)), met);
    Schedule first = strategy.next(1).orElseThrow();
    strategy.explored(first, ExplorationArea.create(folder.resolve("area"), first, false));
    assertThat(first.waits()).isEqualTo(Waits.FOR_ANY_STORE);
    assertThat(strategy.next(1).orElseThrow().waits()).isEqualTo(Waits.FOR_THEIR_WORD);
  }

  @Test
  void shouldLetStoresOvertakeLoadsWhoseWordIsLookedAtAgainUntilTheyDidOften() {
    PmAware strategy = new PmAware(Duration.ofMillis(5));
    List<SharedAccess> entries = List.of(new SharedAccess(Set.of(1, 4), Set.of(2), 10));
    Set<Meeting> met = Set.of(new Meeting(1, 2), new Meeting(4, 2));
    Set<Meeting> pair = Set.of(new Meeting(4, 2));
    strategy.learn(new Sharing(entries, met, pair, Set.of()));
    assertThat(overtakings(strategy)).allSatisfy(s -> assertThat(sites(s)).containsExactly(4, 2));
    assertThat(overtakings(strategy)).isNotEmpty();
    for (int i = 0; i < 4; i++) {
      strategy.begin();
      strategy.learn(new Sharing(entries, met, pair, pair));
    }
    assertThat(overtakings(strategy)).isEmpty();
  }

  private static List<Schedule> overtakings(PmAware strategy) {
    return Stream.of(1, 2, 3, 4)
        .map(strategy::next)
        .flatMap(Optional::stream)
        .filter(s -> s.waits() == Waits.BEHIND_LOADS)
        .toList();
  }

  private static List<Integer> sites(Schedule schedule) {
    return schedule.points().stream().map(SyncPoint::site).toList();
  }

  @Test
  void shouldKnowWhatMetWhileItWasUnpersisted() {
    SharedAccesses shared = new SharedAccesses();
    for (Event e :
        List.of(
            access(EventKind.STORE, 1, X, 10),
            access(EventKind.LOAD, 1, X, 20),
            access(EventKind.LOAD, 2, X, 21),
            access(EventKind.FLUSH, 1, X, 11),
            access(EventKind.LOAD, 2, X, 22))) {
      EventHandler.dispatch(e, shared);
    }
    assertThat(shared.met()).containsExactly(new Meeting(21, 10));
  }

  @Test
  void shouldSeeAliasPairsOfDifferentThreadsByPersistencyState() {
    assertThat(pairs(access(EventKind.STORE, 1, X, 10), access(EventKind.LOAD, 1, X, 20))).isZero();
    assertThat(pairs(access(EventKind.STORE, 1, X, 10), access(EventKind.LOAD, 2, X, 20))).isOne();
    AliasPairs unpersisted =
        run(access(EventKind.STORE, 1, X, 10), access(EventKind.LOAD, 2, X, 20));
    AliasPairs persisted =
        run(
            access(EventKind.STORE, 1, X, 10),
            access(EventKind.FLUSH, 1, X, 11),
            access(EventKind.LOAD, 2, X, 20));
    assertThat(persisted.pairs()).isNotEqualTo(unpersisted.pairs());
  }

  private static int pairs(Event... events) {
    return run(events).pairs().cardinality();
  }

  private static AliasPairs run(Event... events) {
    AliasPairs pairs = new AliasPairs();
    for (Event e : events) {
      EventHandler.dispatch(e, pairs);
    }
    return pairs;
  }
}
