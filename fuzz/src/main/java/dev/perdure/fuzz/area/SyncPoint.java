package dev.perdure.fuzz.area;

/**
 * A site at which readers wait or a writer signals.
 *
 * @param load whether it is a load, which waits, or a store, which signals
 * @param skip how many executions pass before the first wait
 */
public record SyncPoint(int site, boolean load, int skip) {}
