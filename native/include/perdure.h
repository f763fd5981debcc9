/* Marks for Perdure: what a program knows about its persistent memory and the tool cannot see.
 *
 * One header, no library. In a program that does not run under Perdure the marks do nothing; with a compiler that has no weak
 * symbols they are nothing. The arguments of a mark are evaluated only under Perdure: let them have no side effects. */
#ifndef PERDURE_H
#define PERDURE_H

#include <stdint.h>

#if defined(__GNUC__) && defined(__ELF__)
#ifdef __cplusplus
extern "C" {
#endif
extern void __perdure_mark(uint32_t kind, const void *addr, uint64_t size, uint64_t extra) __attribute__((weak));
#ifdef __cplusplus
}
#endif
#if defined(__x86_64__) && !defined(__PIC__) && !defined(__PERDURE__)
/* Linkers bind a weak symbol that is missing for good in programs with a fixed address, unless it is looked up in the table. */
static inline __attribute__((unused)) __typeof__(&__perdure_mark) perdure_mark_function_(void) {
  __typeof__(&__perdure_mark) function;
  __asm__(".weak __perdure_mark\n\tmovq __perdure_mark@GOTPCREL(%%rip), %0" : "=r"(function));
  return function;
}
#define PERDURE_MARK_FUNCTION_ perdure_mark_function_()
#else
#define PERDURE_MARK_FUNCTION_ __perdure_mark
#endif
#define PERDURE_MARK_(kind, addr, size, extra)                                                                                             \
  do {                                                                                                                                     \
    if (PERDURE_MARK_FUNCTION_) {                                                                                                          \
      PERDURE_MARK_FUNCTION_(kind, (const void *)(addr), (uint64_t)(size), (uint64_t)(extra));                                             \
    }                                                                                                                                      \
  } while (0)
#else
#define PERDURE_MARK_(kind, addr, size, extra)                                                                                             \
  do {                                                                                                                                     \
    (void)sizeof(addr);                                                                                                                    \
    (void)sizeof(size);                                                                                                                    \
    (void)sizeof(extra);                                                                                                                   \
  } while (0)
#endif

/* This range is persistent memory, wherever it lies. */
#define PERDURE_PM(addr, size) PERDURE_MARK_(46u, addr, size, 0)

/* A commit variable, and a range that it covers; without any range it covers everything, if it is the only one. */
#define PERDURE_COMMIT_VAR(addr, size) PERDURE_MARK_(74u, addr, size, 0)
#define PERDURE_COMMIT_RANGE(var, addr, size) PERDURE_MARK_(75u, addr, size, (uintptr_t)(var))

/* A lock word or the like in persistent memory, and the value it has after a restart. */
#define PERDURE_SYNC_VAR(addr, size, initial) PERDURE_MARK_(76u, addr, size, initial)

/* The region of interest of the process; without any, the whole run. */
#define PERDURE_ROI_BEGIN() PERDURE_MARK_(64u, 0, 0, 0)
#define PERDURE_ROI_END() PERDURE_MARK_(65u, 0, 0, 0)

/* Loads and stores of this thread in between, callees included, are exempt. */
#define PERDURE_RELAXED_BEGIN() PERDURE_MARK_(66u, 0, 0, 0)
#define PERDURE_RELAXED_END() PERDURE_MARK_(67u, 0, 0, 0)

/* Failure injection: a point of its own, none in between, nothing checked in between, nothing checked from here on. */
#define PERDURE_FAILURE_POINT() PERDURE_MARK_(68u, 0, 0, 0)
#define PERDURE_SKIP_FAILURES_BEGIN() PERDURE_MARK_(69u, 0, 0, 0)
#define PERDURE_SKIP_FAILURES_END() PERDURE_MARK_(70u, 0, 0, 0)
#define PERDURE_SKIP_DETECTION_BEGIN() PERDURE_MARK_(71u, 0, 0, 0)
#define PERDURE_SKIP_DETECTION_END() PERDURE_MARK_(72u, 0, 0, 0)
#define PERDURE_DETECTION_COMPLETE() PERDURE_MARK_(73u, 0, 0, 0)

/* Synchronisation that Perdure cannot see: after the lock is taken, before it is freed. */
#define PERDURE_ACQUIRE(lock) PERDURE_MARK_(16u, lock, 0, 0)
#define PERDURE_RELEASE(lock) PERDURE_MARK_(17u, lock, 0, 0)

/* An allocator of persistent memory that Perdure does not know. */
#define PERDURE_ALLOC(addr, size) PERDURE_MARK_(48u, addr, size, 0)
#define PERDURE_FREE(addr) PERDURE_MARK_(49u, addr, 0, 0)

#endif
