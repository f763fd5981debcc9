package dev.perdure.crash.point;

import dev.perdure.crash.memory.PoolAddress;
import dev.perdure.crash.memory.PoolMap;
import dev.perdure.crash.memory.PoolRange;
import dev.perdure.crash.memory.Pools;
import dev.perdure.trace.definition.Definitions;
import dev.perdure.trace.event.Event;
import dev.perdure.trace.event.EventHandler;
import dev.perdure.trace.event.EventInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a program says about itself with the marks of perdure.h, gathered in a first pass. */
public final class Declarations implements EventHandler {
  private final Definitions definitions;
  private final Pools pools;
  private final PoolMap map = new PoolMap();
  private final Map<PoolRange, CommitVariable> variables = new LinkedHashMap<>();
  private final Map<PoolRange, SyncWord> syncWords = new LinkedHashMap<>();
  private final List<CommitVariable> written = new ArrayList<>();
  private final Set<Integer> used = new HashSet<>();
  private final Set<Integer> emptied = new HashSet<>();
  private boolean regionOfInterest;

  public Declarations(Definitions definitions, Pools pools) {
    this.definitions = definitions;
    this.pools = pools;
  }

  /** Whether the program has a region of interest at all. */
  boolean hasRegionOfInterest() {
    return regionOfInterest;
  }

  public List<SyncWord> syncWords() {
    return List.copyOf(syncWords.values());
  }

  /** All commit variables. */
  List<CommitVariable> commitVariables() {
    return List.copyOf(variables.values());
  }

  /** The variables that say something: those that are written some time. */
  List<CommitVariable> writtenVariables() {
    return List.copyOf(written);
  }

  /** Whether the variable covers everything: it is the only one, and has no range. */
  static boolean coversEverything(List<CommitVariable> all) {
    return all.size() == 1 && all.get(0).covered().isEmpty();
  }

  /** Two variables that cover the same byte, which nothing could be said of. */
  public Optional<String> conflict() {
    List<CommitVariable> all = commitVariables();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        for (PoolRange a : all.get(i).covered()) {
          for (PoolRange b : all.get(j).covered()) {
            if (a.overlaps(b)) {
              return Optional.of(
                  "two commit variables cover the same bytes, at offset %#x of %s"
                      .formatted(
                          PoolAddress.offset(Math.max(a.address(), b.address())),
                          pools.all().get(PoolAddress.pool(a.address())).path()));
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public void map(Event e) {
    mapInto(map, e, definitions, pools);
    long at = map.poolAddress(e.address());
    if (at != PoolAddress.NONE
        && used.add(PoolAddress.pool(at))
        && e.info() == EventInfo.MAP_EMPTIED) {
      emptied.add(PoolAddress.pool(at));
    }
  }

  /** The pools that the run has emptied, or made anew, before it did anything else with them. */
  public Set<Integer> emptied() {
    return Set.copyOf(emptied);
  }

  static void mapInto(PoolMap map, Event e, Definitions definitions, Pools pools) {
    int file = (int) e.payloadLong(0);
    if (file < definitions.files().size()) {
      int pool = pools.indexOf(definitions.files().get(file).path());
      if (pool >= 0) {
        map.map(e.address(), e.value(), pool, e.payloadLong(8));
      }
    }
  }

  @Override
  public void roiBegin(Event e) {
    regionOfInterest = true;
  }

  /** A word that behaves as a lock does; what the program itself says of it counts more. */
  public void recognised(long address, long length, long initial, long bits) {
    range(address, length)
        .filter(r -> syncWords.keySet().stream().noneMatch(r::overlaps))
        .ifPresent(r -> syncWords.put(r, new SyncWord(r, initial, bits)));
  }

  @Override
  public void commitVar(Event e) {
    range(e.address(), e.value()).ifPresent(r -> variables.putIfAbsent(r, new CommitVariable(r)));
  }

  @Override
  public void commitRange(Event e) {
    long variable = map.poolAddress(e.payloadLong(0));
    Optional<PoolRange> covered = range(e.address(), e.value());
    variables.values().stream()
        .filter(v -> v.range().contains(variable))
        .forEach(v -> covered.ifPresent(v::cover));
  }

  @Override
  public void syncVar(Event e) {
    range(e.address(), e.value())
        .ifPresent(r -> syncWords.put(r, new SyncWord(r, e.payloadLong(0), -1)));
  }

  private Optional<PoolRange> range(long address, long length) {
    long at = map.poolAddress(address);
    return at == PoolAddress.NONE ? Optional.empty() : Optional.of(new PoolRange(at, length));
  }

  @Override
  public void store(Event e) {
    noteWrite(e, e.size());
  }

  @Override
  public void storeNt(Event e) {
    noteWrite(e, e.size());
  }

  @Override
  public void rmw(Event e) {
    noteWrite(e, e.size());
  }

  @Override
  public void storeBlock(Event e) {
    noteWrite(e, e.value());
  }

  @Override
  public void storeNtBlock(Event e) {
    noteWrite(e, e.value());
  }

  private void noteWrite(Event e, long length) {
    if (written.size() == variables.size()) {
      return;
    }
    Optional<PoolRange> range = range(e.address(), length);
    for (CommitVariable v : variables.values()) {
      if (range.isPresent() && v.range().overlaps(range.get()) && !written.contains(v)) {
        written.add(v);
      }
    }
  }
}
