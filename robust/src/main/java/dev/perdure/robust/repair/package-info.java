/**
 * The transformation (PMRobust, section VII): flushes right behind stores and atomic loads, fences
 * right before the instructions that need them, FliT counters around atomic stores.
 *
 * <p>What is inserted is inline assembly that clobbers memory. The optimiser, which runs
 * afterwards, can move no access over it, so that what the analysis found holds for the program
 * that comes out.
 */
package dev.perdure.robust.repair;
