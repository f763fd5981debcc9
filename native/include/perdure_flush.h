/* A flush of a range and a fence, for the patches that `perdure fix --diff` writes. One header, no library, x86-64 only.
 * The flush instruction is the best that the compiler is allowed to use (-mclwb, -mclflushopt, -march=native). */
#ifndef PERDURE_FLUSH_H
#define PERDURE_FLUSH_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__x86_64__)
#error "perdure_flush.h is for x86-64"
#endif

static inline __attribute__((unused)) void perdure_flush(const volatile void *address, size_t bytes) {
  uintptr_t end = (uintptr_t)address + bytes;
  for (uintptr_t line = (uintptr_t)address & ~(uintptr_t)63; line < end; line += 64) {
#if defined(__CLWB__)
    __asm__ volatile("clwb %0" : "+m"(*(volatile char *)line) : : "memory");
#elif defined(__CLFLUSHOPT__)
    __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)line) : : "memory");
#else
    __asm__ volatile("clflush %0" : "+m"(*(volatile char *)line) : : "memory");
#endif
  }
}

static inline __attribute__((unused)) void perdure_fence(void) {
  __asm__ volatile("sfence" : : : "memory");
}

/* The value of an expression whose store is flushed before the value is used; and one with a fence behind it.
 * The comma makes it a value where the expression names an object of an atomic type. */
#define PERDURE_FLUSHED(expression, address, bytes)                 \
  __extension__({                                                   \
    __typeof__((void)0, (expression)) perdure_value = (expression); \
    perdure_flush(address, bytes);                                  \
    perdure_value;                                                  \
  })
#define PERDURE_FENCED(expression)                                  \
  __extension__({                                                   \
    __typeof__((void)0, (expression)) perdure_value = (expression); \
    perdure_fence();                                                \
    perdure_value;                                                  \
  })

#endif
