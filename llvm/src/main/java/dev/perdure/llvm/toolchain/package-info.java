/**
 * The programs and libraries of LLVM that Perdure works with: unpacked once from the binding's jar
 * into the user's cache, or a system clang-19 where a complete one is installed.
 */
package dev.perdure.llvm.toolchain;
