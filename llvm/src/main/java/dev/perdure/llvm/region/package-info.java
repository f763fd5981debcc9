/**
 * Regions of the accesses in a module: what {@code dev.perdure.flow.region} needs to know of LLVM's
 * instructions.
 *
 * <p>Acquires are loads, read-modify-writes and fences by their order, locked instructions in
 * inline assembly, calls of functions that the configuration names, and every call that may lead to
 * one: of a function with an acquire in it, through a pointer, or of a library function that is not
 * known to be harmless.
 *
 * <p>An address is known wherever the values are that it is computed from: constants and arguments
 * everywhere, results of loads, calls and phis behind them. Pure arithmetic moves up.
 */
package dev.perdure.llvm.region;
