/**
 * What an inline assembly statement does to memory, read from its constraints and its text: flushes
 * in all encodings, fences, locked read-modify-writes, non-temporal stores, ordinary accesses.
 * Plain text analysis, without LLVM.
 *
 * <p>Limits: an address that is built from a symbol, or from a register that no operand is bound
 * to, is not known; instructions that are given as {@code .byte} are recognised only for flushes,
 * fences and the prefixes lock and data16.
 */
package dev.perdure.llvm.assembly;
