/* System calls without libc: they touch no errno, are no cancellation points and cannot be interposed. */
#ifndef PERDURE_SYSTEM_H
#define PERDURE_SYSTEM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#define SYSTEM(number, a, b, c) system_call(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYSTEM6(number, a, b, c, d, e, f) system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static inline bool system_failed(long result) { return result < 0 && result > -4096; }

static inline void system_sleep(uint64_t nanoseconds) {
  struct timespec t = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  SYSTEM(SYS_nanosleep, &t, 0, 0);
}

static inline void system_yield(void) { SYSTEM(SYS_sched_yield, 0, 0, 0); }

static inline uint64_t system_nanoseconds(void) {
  struct timespec t;
  SYSTEM(SYS_clock_gettime, CLOCK_MONOTONIC, &t, 0);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
