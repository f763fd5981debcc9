package dev.perdure.model.region;

import dev.perdure.model.code.Frame;
import java.util.OptionalLong;

/**
 * An instruction.
 *
 * @param address where it is in its file; empty where there is no machine code yet
 */
public record CodePlace(Frame frame, OptionalLong address) {}
