/* Functions of libc that leave a result where they are told to, and nothing else in memory: times, random numbers, names, states of files and
 * processes, descriptors, lines. */
#include "libc_memory.h"
#include "library_changes.h"
#include "real.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

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

REAL(strftime);
EXPORT size_t strftime(char *restrict to, size_t room, const char *restrict format, const struct tm *restrict parts) {
  size_t length = CALL(strftime)(to, room, format, parts);
  if (length > 0) {
    left(to, length + 1);
  }
  return length;
}

/* Texts of libc end with a zero. */
static char *left_text(char *text) {
  if (text != NULL && unlikely(touches_text(text))) {
    emit_store(text, text, size_of_text(text));
  }
  return text;
}

REAL(asctime_r);
EXPORT char *asctime_r(const struct tm *restrict from, char *restrict to) { return left_text(CALL(asctime_r)(from, to)); }

REAL(ctime_r);
EXPORT char *ctime_r(const time_t *from, char *to) { return left_text(CALL(ctime_r)(from, to)); }

REAL(getcwd);
EXPORT char *getcwd(char *to, size_t room) {
  library_changes_touch(to, room);
  return left_text(CALL(getcwd)(to, room));
}

REAL(gethostname);
EXPORT int gethostname(char *to, size_t room) {
  int failed = CALL(gethostname)(to, room);
  if (failed == 0) {
    left_text(to);
  }
  return failed;
}

REAL(inet_ntop);
EXPORT const char *inet_ntop(int family, const void *restrict address, char *restrict to, socklen_t room) {
  const char *text = CALL(inet_ntop)(family, address, to, room);
  return text != NULL ? left_text(to) : NULL;
}

REAL(readlink);
EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t room) {
  library_changes_touch(to, room);
  ssize_t length = CALL(readlink)(path, to, room);
  if (length > 0) {
    left(to, (size_t)length);
  }
  return length;
}

REAL(fstat);
EXPORT int fstat(int fd, struct stat *status) {
  library_changes_touch(status, sizeof *status);
  int failed = CALL(fstat)(fd, status);
  if (failed == 0) {
    left(status, sizeof *status);
  }
  return failed;
}
EXPORT int fstat64(int fd, struct stat64 *status) { return fstat(fd, (struct stat *)status); }

REAL(getrandom);
EXPORT ssize_t getrandom(void *to, size_t length, unsigned flags) {
  library_changes_touch(to, length);
  ssize_t count = CALL(getrandom)(to, length, flags);
  if (count > 0) {
    left(to, (size_t)count);
  }
  return count;
}

REAL(getentropy);
EXPORT int getentropy(void *to, size_t length) {
  library_changes_touch(to, length);
  int failed = CALL(getentropy)(to, length);
  if (failed == 0) {
    left(to, length);
  }
  return failed;
}

REAL(pipe);
EXPORT int pipe(int ends[2]) {
  library_changes_touch(ends, 2 * sizeof *ends);
  int failed = CALL(pipe)(ends);
  if (failed == 0) {
    left(ends, 2 * sizeof *ends);
  }
  return failed;
}

REAL(pipe2);
EXPORT int pipe2(int ends[2], int flags) {
  library_changes_touch(ends, 2 * sizeof *ends);
  int failed = CALL(pipe2)(ends, flags);
  if (failed == 0) {
    left(ends, 2 * sizeof *ends);
  }
  return failed;
}

REAL(socketpair);
EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
  library_changes_touch(ends, 2 * sizeof *ends);
  int failed = CALL(socketpair)(domain, type, protocol, ends);
  if (failed == 0) {
    left(ends, 2 * sizeof *ends);
  }
  return failed;
}

REAL(uname);
EXPORT int uname(struct utsname *result) {
  library_changes_touch(result, sizeof *result);
  int failed = CALL(uname)(result);
  if (failed == 0) {
    left(result, sizeof *result);
  }
  return failed;
}

REAL(getrusage);
EXPORT int getrusage(__rusage_who_t who, struct rusage *result) {
  library_changes_touch(result, sizeof *result);
  int failed = CALL(getrusage)(who, result);
  if (failed == 0) {
    left(result, sizeof *result);
  }
  return failed;
}

REAL(timespec_get);
EXPORT int timespec_get(struct timespec *result, int base) {
  int same = CALL(timespec_get)(result, base);
  if (same == base) {
    left(result, sizeof *result);
  }
  return same;
}

REAL(inet_pton);
EXPORT int inet_pton(int family, const char *restrict text, void *restrict to) {
  int valid = CALL(inet_pton)(family, text, to);
  text_read(text);
  if (valid == 1) {
    left(to, family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr));
  }
  return valid;
}

REAL(rand_r);
EXPORT int rand_r(unsigned *seed) {
  if (unlikely(touches(seed, sizeof *seed))) {
    emit_load(seed, sizeof *seed);
  }
  int number = CALL(rand_r)(seed);
  left(seed, sizeof *seed);
  return number;
}

static ssize_t left_line(ssize_t length, char *const *line) {
  if (length >= 0) {
    left(*line, (size_t)length + 1);
  }
  return length;
}

REAL(getdelim);
EXPORT ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream) {
  return left_line(CALL(getdelim)(line, room, end, stream), line);
}

REAL(__getdelim);
EXPORT ssize_t __getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream) {
  return left_line(CALL(__getdelim)(line, room, end, stream), line);
}

REAL(getline);
EXPORT ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream) {
  return left_line(CALL(getline)(line, room, stream), line);
}
