package dev.perdure.binary.flow;

/**
 * The call frame instructions of a function: those of its CIE, then its own.
 *
 * @param codeFactor of advances
 * @param dataFactor of offsets
 */
public record CallFrameProgram(long codeFactor, long dataFactor, byte[] initial, byte[] own) {}
