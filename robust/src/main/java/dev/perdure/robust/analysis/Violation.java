package dev.perdure.robust.analysis;

/**
 * Memory that others can reach may not be persistent where it has to be.
 *
 * @param routine the function in which it shows
 * @param origin the store or atomic load
 * @param point the step that it has to be persistent before
 * @param flushed whether only the fence is missing
 */
public record Violation(int routine, int origin, int point, boolean flushed) {}
