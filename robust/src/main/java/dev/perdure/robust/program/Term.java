package dev.perdure.robust.program;

/** A variable part of an address: a value times a number of bytes. */
public record Term(int value, long bytes) {}
