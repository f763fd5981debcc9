package dev.perdure.fuzz.interleaving;

import java.util.List;
import java.util.Set;

/**
 * An entry of PMRace's queue: an address that threads share, by the sites of the loads and stores
 * that reach it. Addresses with the same sites are one entry.
 *
 * @param count how often it was loaded
 */
public record SharedAccess(Set<Integer> loads, Set<Integer> stores, long count) {
  public SharedAccess {
    loads = Set.copyOf(loads);
    stores = Set.copyOf(stores);
  }

  /** Each load with each store. */
  List<Meeting> pairs() {
    return loads.stream().flatMap(l -> stores.stream().map(s -> new Meeting(l, s))).toList();
  }

  /** The same with one of its stores each; nothing where there is but one. */
  List<SharedAccess> singleStores() {
    return stores.size() == 1
        ? List.of()
        : stores.stream()
            .sorted()
            .map(s -> new SharedAccess(loads, Set.of(s), count / stores.size()))
            .toList();
  }
}
