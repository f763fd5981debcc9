package dev.perdure.binary.plan;

/**
 * What every gate of an observed instruction is told.
 *
 * @param number among the sites of the module
 * @param frame where its caller is found, as {@link dev.perdure.binary.flow.FrameRow} packs it
 */
record Site(int number, int frame) {}
