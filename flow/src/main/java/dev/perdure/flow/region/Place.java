package dev.perdure.flow.region;

/** The place right before an instruction; the index after the last one is the end of the block. */
public record Place(int block, int index) {}
