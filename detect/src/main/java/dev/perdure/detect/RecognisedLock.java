package dev.perdure.detect;

/**
 * A word that behaves as a lock does.
 *
 * @param size in bytes
 * @param free its value while nobody holds it
 * @param bits those of its bits that say so; the others may count versions
 */
public record RecognisedLock(long address, int size, long free, long bits) {}
