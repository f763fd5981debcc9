/**
 * The instrumentation of a linked module: every access that may touch persistent memory, every
 * atomic access, flush and fence gets a call of a hook ({@code perdure_hooks.h}), every call that
 * may lead to one is put on the shadow call stack.
 *
 * <p>The pass inserts calls and no control flow: the functions of {@code prelude.ll} hold the tests
 * and branches, and LLVM inlines them when it compiles the module. Stores, flushes, fences and
 * releases are announced before they happen, loads and acquires after (ARCHITECTURE, decision 4).
 *
 * <p>Limits: accesses made by code that was not compiled by Perdure are seen only where the runtime
 * interposes a library function; scalable vectors and address spaces other than the ordinary one
 * are left alone.
 */
package dev.perdure.llvm.instrument;
