package dev.perdure.flow.region;

/**
 * A start of a region.
 *
 * @param address what gives the address of the access there
 */
public record Start<A>(Place place, A address) {}
