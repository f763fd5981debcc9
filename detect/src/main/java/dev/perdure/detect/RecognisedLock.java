package dev.perdure.detect;

/**
 * A word that behaves as a lock does.
 *
 * @param size in bytes
 * @param free its value while nobody holds it
 */
public record RecognisedLock(long address, int size, long free) {}
