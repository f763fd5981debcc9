package dev.perdure.crash.memory;

import java.util.List;

/**
 * A line some of whose stores are on their way to persistence.
 *
 * @param address its pool address
 * @param open the bytes whose last store is not persistent
 * @param units the stores, in their order
 */
public record OpenStores(long address, long open, List<StoreUnit> units) {}
