/**
 * Regions of the accesses in a module's machine code: what {@code dev.perdure.flow.region} needs to
 * know of x86-64 instructions (Vardalith, section 5.1).
 *
 * <p>An address is a sum of registers and a constant. Going backwards over an instruction that
 * assigns such a sum to one of them puts that sum in its place; any other change of a register that
 * the address needs ends the region. Calls leave rbx, rbp, rsp and r12 to r15 as they were, as the
 * ABI wants it.
 *
 * <p>Acquires are locked instructions, mfence, what the table of opcodes does not describe (system
 * calls), and calls that may lead to one: of a function with an acquire in it, of a library
 * function that is not known to be harmless, or through a pointer. An acquire load of ordinary
 * memory is a plain mov, and not seen.
 *
 * <p>The graph has at least the edges that the program has: jumps through tables may go wherever a
 * table of the module points to, and calls to where their exceptions are caught. More edges make
 * regions smaller, never wrong.
 */
package dev.perdure.binary.region;
