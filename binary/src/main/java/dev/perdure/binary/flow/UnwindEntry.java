package dev.perdure.binary.flow;

/**
 * What .eh_frame says of one function.
 *
 * @param languageData address of the table of landing pads, or 0
 */
public record UnwindEntry(long start, long length, long languageData, CallFrameProgram program) {}
