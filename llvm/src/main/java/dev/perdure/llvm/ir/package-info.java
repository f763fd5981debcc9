/**
 * A small typed view of LLVM's C API: modules, functions, instructions, types, and a builder.
 * Values are compared by identity of the LLVM object; nothing here owns memory except {@link
 * dev.perdure.llvm.ir.BitcodeModule}.
 */
package dev.perdure.llvm.ir;
