/**
 * {@code perdure cc} and {@code perdure c++}: stand-ins for clang and clang++. Compiling makes
 * bitcode objects; linking happens twice: the first link merges all bitcode into one module, which
 * is instrumented, the second makes the program out of it and the native inputs.
 */
package dev.perdure.llvm.driver;
