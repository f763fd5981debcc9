/**
 * Patch plans: a copy of every function that may touch persistent memory, with calls of the runtime
 * in it, and the jumps that lead from the original text into the copy. Calls are made from the
 * original text, so return addresses, and with them unwinding, stay as they were. The runtime only
 * maps a plan, adds two numbers to the places that the plan lists, and writes the jumps.
 *
 * <p>Invariant: in the original text only jumps, and bytes that nothing can reach any more, are
 * changed. Whoever comes to an unchanged place executes the original code.
 */
package dev.perdure.binary.plan;
