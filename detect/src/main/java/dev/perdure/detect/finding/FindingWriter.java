package dev.perdure.detect.finding;

import dev.perdure.detect.flush.MissingOperations;
import dev.perdure.detect.flush.RedundantOperations;
import dev.perdure.detect.shadow.Windows;
import dev.perdure.detect.sync.Origins;
import dev.perdure.detect.sync.Threads;
import dev.perdure.model.code.CallStack;
import dev.perdure.model.code.Site;
import dev.perdure.model.finding.DurableEffect;
import dev.perdure.model.finding.Example;
import dev.perdure.model.finding.Finding;
import dev.perdure.model.finding.FindingKind;
import dev.perdure.model.finding.Place;
import dev.perdure.model.finding.Role;
import dev.perdure.trace.event.Symbols;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/** Turns what was collected into findings: merged by source lines, with sentences for people. */
public final class FindingWriter {
  private static final int MOST_NAMED_LOCKS = 4;
  private static final String ORDERED_NOTE =
      "this run ordered the pair by happens-before; locksets alone say that it can race";

  private final Symbols symbols;
  private final Origins origins;
  private final Threads threads;
  private final LongUnaryOperator ticksToNanos;
  private final List<Finding> findings = new ArrayList<>();

  public FindingWriter(
      Symbols symbols, Origins origins, Threads threads, LongUnaryOperator ticksToNanos) {
    this.symbols = symbols;
    this.origins = origins;
    this.threads = threads;
    this.ticksToNanos = ticksToNanos;
  }

  /** Sites are numbers of instructions; one line may have several. */
  private record SitePair(Site store, Site load) {}

  public void addRaces(RaceFindings collected, boolean happensBeforeWasChecked) {
    Map<SitePair, List<Race>> merged = new LinkedHashMap<>();
    for (Race race : collected.settle()) {
      SitePair pair = new SitePair(symbols.site(race.storeSite), symbols.site(race.loadSite));
      merged.computeIfAbsent(pair, p -> new ArrayList<>()).add(race);
    }
    merged.values().forEach(races -> findings.add(race(races, happensBeforeWasChecked)));
  }

  private Finding race(List<Race> races, boolean happensBeforeWasChecked) {
    int evidence = 0;
    long count = 0;
    RaceExample best = null;
    for (Race race : races) {
      evidence |= race.evidence();
      count += race.count();
      RaceExample candidate = race.best();
      if (candidate != null && (best == null || candidate.evidence > best.evidence)) {
        best = candidate;
      }
    }
    Race first = races.get(0);
    int storeOrigin = best == null ? first.storeOrigins.getInt(0) : best.storeOrigin;
    int loadOrigin = best == null ? first.loadOrigins.getInt(0) : best.loadOrigin;
    Map<Role, Place> places = new EnumMap<>(Role.class);
    places.put(Role.STORE, place(storeOrigin));
    places.put(Role.LOAD, place(loadOrigin));
    if (best != null && best.ended && !best.overwritten) {
      places.put(Role.PERSIST, place(best.endOrigin));
    }
    List<Effect> effects = races.stream().flatMap(r -> r.effects().stream()).toList();
    effects.stream().findFirst().ifPresent(e -> places.put(Role.EFFECT, place(e.origin())));
    boolean orderedOnly = evidence == EvidenceBits.LOCKSET && happensBeforeWasChecked;
    Optional<Example> example =
        Optional.ofNullable(best).map(b -> b.toExample(ticksToNanos, happensBeforeWasChecked));
    return new Finding(
        FindingKind.PERSISTENCY_RACE,
        places,
        otherStacks(races, places),
        EvidenceBits.toSet(evidence),
        count,
        raceMessage(places, best, evidence),
        example,
        orderedOnly ? List.of(ORDERED_NOTE) : List.of(),
        Optional.empty(),
        durable(effects));
  }

  /** The first one, with the others. */
  private Optional<DurableEffect> durable(List<Effect> effects) {
    if (effects.isEmpty()) {
      return Optional.empty();
    }
    int distinct = distinct(effects);
    List<DurableEffect.Elsewhere> others =
        effects.stream()
            .skip(1)
            .map(
                e ->
                    new DurableEffect.Elsewhere(
                        place(e.origin()), e.toDurable(distinct, ticksToNanos)))
            .toList();
    return Optional.of(effects.get(0).toDurable(distinct, ticksToNanos, others));
  }

  private static int distinct(List<Effect> effects) {
    return (int) effects.stream().mapToInt(Effect::origin).distinct().count();
  }

  /** Effects of bytes that their own thread had written. */
  public void addIntra(Collection<OwnEffect> effects) {
    Map<List<Site>, Finding> merged = new LinkedHashMap<>();
    for (OwnEffect own : effects) {
      Finding finding = intra(own);
      List<Site> identity =
          List.of(
              finding.places().get(Role.STORE).site(),
              finding.places().get(Role.LOAD).site(),
              finding.places().get(Role.EFFECT).site());
      merged.merge(identity, finding, FindingWriter::together);
    }
    findings.addAll(merged.values());
  }

  private Finding intra(OwnEffect own) {
    Map<Role, Place> places = new EnumMap<>(Role.class);
    places.put(Role.STORE, place(own.storeOrigin()));
    places.put(Role.LOAD, place(own.loadOrigin()));
    places.put(Role.EFFECT, place(own.effect().origin()));
    String message =
        "%s makes something durable out of what the store in %s wrote and nobody has persisted yet: persist the store first"
            .formatted(places.get(Role.EFFECT).description(), places.get(Role.STORE).description());
    return new Finding(
        FindingKind.INTRA_THREAD_INCONSISTENCY,
        places,
        Map.of(),
        Set.of(),
        own.count(),
        message,
        Optional.of(own.toExample(ticksToNanos)),
        List.of(),
        Optional.empty(),
        Optional.of(own.effect().toDurable(1, ticksToNanos)));
  }

  private String raceMessage(Map<Role, Place> places, RaceExample example, int evidence) {
    String store = places.get(Role.STORE).description();
    String load = places.get(Role.LOAD).description();
    boolean sure = (evidence & EvidenceBits.OBSERVED_READ) != 0;
    String claim =
        "the store in %s is still unpersisted when %s of another thread %s it: "
            .formatted(store, load, sure ? "reads" : "can read");
    if (example == null || !example.ended) {
      return claim + "flush and fence it before other threads can see it";
    }
    if (example.overwritten) {
      return claim + "persist it before it can be seen; here it was overwritten unpersisted";
    }
    List<String> locks = Example.keepingApart(example.storeLocks(), example.loadLocks());
    if (!locks.isEmpty()) {
      return claim + "persist it before releasing " + some(locks);
    }
    if (!example.storeLocks().isEmpty() && !example.loadLocks().isEmpty()) {
      return claim + "the locks that they hold do not keep them apart; hold one that does";
    }
    return claim + "persist it before other threads can see it";
  }

  private static String some(List<String> locks) {
    return locks.size() <= MOST_NAMED_LOCKS
        ? String.join(", ", locks)
        : "%s and %d others"
            .formatted(
                String.join(", ", locks.subList(0, MOST_NAMED_LOCKS)),
                locks.size() - MOST_NAMED_LOCKS);
  }

  private Map<Role, List<Place>> otherStacks(List<Race> races, Map<Role, Place> places) {
    Map<Role, List<Place>> others = new EnumMap<>(Role.class);
    for (Race race : races) {
      for (int origin : race.storeOrigins) {
        addStack(others, Role.STORE, origin, places);
      }
      for (int origin : race.loadOrigins) {
        addStack(others, Role.LOAD, origin, places);
      }
    }
    return others;
  }

  private void addStack(
      Map<Role, List<Place>> others, Role role, int origin, Map<Role, Place> places) {
    Place place = place(origin);
    List<Place> list = others.computeIfAbsent(role, r -> new ArrayList<>());
    if (!place.equals(places.get(role)) && !list.contains(place)) {
      list.add(place);
    }
  }

  private record MissingKey(FindingKind kind, Site store, Optional<Site> flush) {}

  public void addMissing(MissingOperations missing, Windows windows) {
    Map<MissingKey, Finding> merged = new LinkedHashMap<>();
    missing
        .all()
        .forEach(
            (key, seen) -> {
              Finding finding = missing(key, seen, windows);
              MissingKey identity =
                  new MissingKey(
                      finding.kind(),
                      finding.places().get(Role.STORE).site(),
                      finding.place(Role.PERSIST).map(Place::site));
              merged.merge(identity, finding, FindingWriter::together);
            });
    findings.addAll(merged.values());
  }

  private Finding missing(
      MissingOperations.Key key, MissingOperations.Missing seen, Windows windows) {
    Map<Role, Place> places = new EnumMap<>(Role.class);
    places.put(Role.STORE, place(key.storeOrigin()));
    if (key.flushOrigin() >= 0) {
      places.put(Role.PERSIST, place(key.flushOrigin()));
    }
    String store = places.get(Role.STORE).description();
    String message =
        !key.fence()
            ? "bytes of the store in %s are never flushed: flush every line that it writes, and fence"
                .formatted(store)
            : key.flushOrigin() < 0
                ? "the non-temporal store in %s is never fenced: add a fence after it"
                    .formatted(store)
                : "the store in %s is flushed in %s but never fenced: add a fence after the flush"
                    .formatted(store, places.get(Role.PERSIST).description());
    int window = seen.window();
    Example example =
        new Example(
            seen.address(),
            seen.size(),
            threads.numberOf(windows.index(window), windows.epoch(window)),
            ticksToNanos.applyAsLong(windows.time(window)),
            0,
            -1,
            false,
            0,
            -1,
            List.of(),
            List.of(),
            List.of(),
            false);
    return new Finding(
        key.fence() ? FindingKind.MISSING_FENCE : FindingKind.MISSING_FLUSH,
        places,
        Map.of(),
        Set.of(),
        seen.count(),
        message,
        Optional.of(example),
        List.of());
  }

  private static Finding together(Finding a, Finding b) {
    Map<Role, List<Place>> others = new EnumMap<>(Role.class);
    a.otherStacks().forEach((role, list) -> others.put(role, new ArrayList<>(list)));
    b.places()
        .forEach(
            (role, place) -> {
              List<Place> list = others.computeIfAbsent(role, r -> new ArrayList<>());
              if (!place.equals(a.places().get(role)) && !list.contains(place)) {
                list.add(place);
              }
            });
    return new Finding(
        a.kind(),
        a.places(),
        others,
        a.evidence(),
        a.count() + b.count(),
        a.message(),
        a.example(),
        a.notes(),
        a.crash(),
        a.effect());
  }

  public void addRedundant(FindingKind kind, Collection<RedundantOperations.Path> paths) {
    for (RedundantOperations.Path path : paths) {
      Place place = place(path.origin());
      String message =
          kind == FindingKind.REDUNDANT_FENCE
              ? "the fence in %s had nothing to wait for, %d of %d times: leave it out"
              : "the flush in %s found nothing to write back, %d of %d times: leave it out";
      findings.add(
          new Finding(
              kind,
              Map.of(Role.PERSIST, place),
              Map.of(),
              Set.of(),
              path.count(),
              message.formatted(place.description(), path.count(), path.count()),
              Optional.empty(),
              List.of()));
    }
  }

  /** All findings, in a stable order: by kind, then by place. */
  public List<Finding> all() {
    Comparator<Finding> order = Comparator.comparing(Finding::kind);
    for (Role role : Role.values()) {
      order =
          order
              .thenComparing(f -> f.place(role).map(p -> p.frame().file()).orElse(""))
              .thenComparing(f -> f.place(role).map(p -> p.frame().line()).orElse(0))
              .thenComparing(f -> f.place(role).map(p -> p.frame().function()).orElse(""))
              .thenComparing(f -> f.place(role).map(p -> p.frame().offset()).orElse(0L));
    }
    List<Finding> sorted = new ArrayList<>(findings);
    sorted.sort(order);
    return sorted;
  }

  private Place place(int origin) {
    int stack = origins.stack(origin);
    return new Place(
        symbols.site(origins.site(origin)),
        stack == 0 ? CallStack.EMPTY : symbols.callStack(stack));
  }
}
