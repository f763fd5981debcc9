/**
 * The transformation (PMRobust, section VII): flushes right behind stores and atomic loads, fences
 * right before the instructions that need them, FliT counters around atomic stores.
 *
 * <p>Fences look whether something was flushed since the last one; the program's own flushes and
 * fences are followed for that. Lines that are noted or held are flushed before their memory may be
 * unmapped.
 *
 * <p>What is inserted is inline assembly that clobbers memory. The optimiser, which runs
 * afterwards, can move no access over it, so that what the analysis found holds for the program
 * that comes out.
 */
package dev.perdure.robust.repair;
