/* Tests of the runtime. A test file has tests, which run in the tester, and acts, which run as processes of their own under a
 * recording: the tester makes the recording, starts itself again with the name of an act, drains the rings and looks at them. */
#ifndef HARNESS_H
#define HARNESS_H
#include "perdure_hooks.h"
#include "perdure_trace.h"
#include "recording_file.h"
#include <stdio.h>
#include <sys/types.h>

struct named {
  const char *name;
  void (*function)(void);
};

/* Each test file defines these; they end with a null name. */
extern const struct named TESTS[];
extern const struct named ACTS[];

struct options {
  uint32_t ring_slots;                            /* default 4096 */
  uint32_t clock;                                 /* enum perdure_clock */
  bool nobody_drains;                             /* reader_pid stays 0 */
  void (*before)(struct recording *r);            /* after the recording is made, before the act starts */
  void (*during)(struct recording *r, pid_t act); /* called again and again while the act runs */
  const char *directory;                          /* where the recording is made; default pm_directory() */
};

struct run {
  struct recording recording;
  struct events events; /* by time */
  int status;           /* of waitpid */
};

/* Runs an act to its end. Files under pm_directory() are persistent memory. */
void perform(struct run *run, const char *act, struct options options);
void done(struct run *run);
const char *pm_directory(void);
/* A path under pm_directory; the buffer is overwritten by the next call. */
const char *pm_file(const char *name);

size_t count_of(const struct run *run, uint32_t kind);
size_t count_at(const struct run *run, uint32_t kind, uint32_t site);
/* The n-th event of a kind, from 0; fails the test when there is none. */
const struct event *event_of(const struct run *run, uint32_t kind, size_t n);
/* The n-th event of a kind at an address. */
const struct event *event_at(const struct run *run, uint32_t kind, const void *addr, size_t n);

void check(bool holds, const char *what, const char *file, int line);
#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)
void check_equal(unsigned long long expected, unsigned long long actual, const char *what, const char *file, int line);
#define CHECK_EQUAL(expected, actual)                                                                                                      \
  check_equal((unsigned long long)(expected), (unsigned long long)(actual), #actual, __FILE__, __LINE__)
#define EXITED_WELL(run) CHECK(WIFEXITED((run).status) && WEXITSTATUS((run).status) == 0)
/* For what this machine does not have: says so, and ends the test. */
void skip(const char *why);

/* For acts: a new PM file, mapped; an instrumented store and load; a call from a site. */
void *map_pm(const char *name, size_t length);
void store8(uint64_t *to, uint64_t value, uint32_t site);
uint64_t load8(const uint64_t *from, uint32_t site);
#define CALL_FROM(site, call)                                                                                                              \
  do {                                                                                                                                     \
    uint64_t *old_sp = __perdure_tls.sp;                                                                                                   \
    __perdure_tls.sp = old_sp + 1;                                                                                                         \
    *old_sp = (site);                                                                                                                      \
    call;                                                                                                                                  \
    __perdure_tls.sp = old_sp;                                                                                                             \
  } while (0)

#endif
