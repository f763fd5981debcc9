package dev.perdure.model.config;

import java.util.OptionalInt;

/**
 * A function that allocates persistent memory. Arguments are counted from 0.
 *
 * @param function plain or mangled name
 * @param out the argument that points to the word where the address is stored; empty: the address
 *     is returned
 * @param size the argument that holds the size in bytes
 * @param count the argument that the size is multiplied by, as for calloc
 * @param zeroed whether the memory comes zeroed and persistent
 */
public record AllocFunction(
    String function, OptionalInt out, int size, OptionalInt count, boolean zeroed) {}
