package dev.perdure.model.config;

import java.util.OptionalInt;

/**
 * A function that flushes or persists a range. Arguments are counted from 0.
 *
 * @param function plain or mangled name
 * @param address the argument that holds the first address
 * @param length the argument that holds the length; empty: the cache line of the address
 */
public record RangeFunction(String function, int address, OptionalInt length) {}
