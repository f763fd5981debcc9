/* Functions of libc that leave a result of known size where they are told to: time, random bytes. */
#include "libc_memory.h"
#include "real.h"
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static inline void left(void *result, size_t length) {
  if (result != NULL && unlikely(touches(result, length))) {
    emit_store(result, result, length);
  }
}

REAL(time);
EXPORT time_t time(time_t *result) {
  time_t now = CALL(time)(result);
  left(result, sizeof *result);
  return now;
}

REAL(clock_gettime);
EXPORT int clock_gettime(clockid_t clock, struct timespec *result) {
  int failed = CALL(clock_gettime)(clock, result);
  left(result, sizeof *result);
  return failed;
}

REAL(gettimeofday);
EXPORT int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  int failed = CALL(gettimeofday)(result, zone);
  left(result, sizeof *result);
  return failed;
}

REAL(localtime_r);
EXPORT struct tm *localtime_r(const time_t *restrict from, struct tm *restrict result) {
  struct tm *parts = CALL(localtime_r)(from, result);
  left(parts, sizeof *parts);
  return parts;
}

REAL(gmtime_r);
EXPORT struct tm *gmtime_r(const time_t *restrict from, struct tm *restrict result) {
  struct tm *parts = CALL(gmtime_r)(from, result);
  left(parts, sizeof *parts);
  return parts;
}

REAL(getrandom);
EXPORT ssize_t getrandom(void *to, size_t length, unsigned flags) {
  ssize_t count = CALL(getrandom)(to, length, flags);
  if (count > 0) {
    left(to, (size_t)count);
  }
  return count;
}

REAL(getentropy);
EXPORT int getentropy(void *to, size_t length) {
  int failed = CALL(getentropy)(to, length);
  if (failed == 0) {
    left(to, length);
  }
  return failed;
}
