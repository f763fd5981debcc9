package dev.perdure.crash.image;

import java.io.Serializable;

/** Neighbouring bytes of a pool that are suspect for the same reason. */
public record SuspectRange(long address, int length, Suspect suspect) implements Serializable {}
