/* The exploration area: how the Java side steers the interleavings of a program that is instrumented for it, and what it learns of
 * the branches that were taken. One file, mapped by both; dev.perdure.fuzz.area.AreaLayout mirrors every number here, and a test compares
 * the two. docs/formats/exploration.md explains them. */
#ifndef PERDURE_EXPLORATION_H
#define PERDURE_EXPLORATION_H
#include <stdint.h>

#define PERDURE_ENV_EXPLORATION "PERDURE_EXPLORATION" /* path of the area; without it threads run as they like */
#define PERDURE_ENV_PROGRAM_NAME "PERDURE_PROGRAM_NAME" /* what the program finds as its name, argv[0] */
#define PERDURE_EXPLORATION_MAGIC UINT64_C(0x31504d4c50584550) /* "PEXPLMP1" */
#define PERDURE_COVERAGE_BYTES 65536u
#define PERDURE_SYNC_POINTS 256u
#define PERDURE_TURNS 64u
#define PERDURE_CHANGE_POINTS 8u
#define PERDURE_AWAITED 64u

enum perdure_strategy { PERDURE_STRATEGY_NONE = 0, PERDURE_STRATEGY_SYNC_POINTS = 1, PERDURE_STRATEGY_DELAYS = 2, PERDURE_STRATEGY_PRIORITIES = 3 };
/* Which stores count: the first one, for all readers; those to a word that a reader waits to load, for this reader; all, where nobody waits;
 * those to a word that a reader has loaded, for this reader, which waits behind its load. */
enum perdure_same_word { PERDURE_ANY_WORD = 0, PERDURE_SAME_WORD = 1, PERDURE_NOBODY_WAITS = 2, PERDURE_LOADED_WORD = 3 };
enum perdure_disabled { PERDURE_DISABLED_IN_VAIN = 1, PERDURE_DISABLED_MET = 2 };
enum perdure_sync_kind { PERDURE_SYNC_LOAD = 1, PERDURE_SYNC_STORE = 2 };

/* A load that waits for a store to be made, or such a store. Open-addressed by site and kind. */
struct perdure_sync_point {
  uint32_t site;     /* 0: empty */
  uint32_t kind;     /* enum perdure_sync_kind */
  uint32_t skip;     /* times to pass before the first wait */
  uint32_t disabled; /* it waits no more in this campaign: enum perdure_disabled */
  uint64_t reached;
};

/* When a thread last accessed PM, and how urgent it is (strategy PRIORITIES). */
struct perdure_turn {
  uint32_t thread;
  uint32_t priority;
  uint64_t last;
};

struct perdure_exploration {
  uint64_t magic;
  uint32_t strategy; /* enum perdure_strategy */
  uint32_t first;    /* the thread that accessed PM first */
  uint64_t seed;
  uint64_t writer_wait;   /* nanoseconds that a writer gives readers after its store */
  uint64_t reader_wait;   /* nanoseconds that a reader waits for a store at most */
  uint64_t longest_delay; /* nanoseconds, strategy DELAYS */
  uint64_t change_points[PERDURE_CHANGE_POINTS]; /* numbers of accesses, strategy PRIORITIES */
  _Alignas(64) uint32_t signalled;  /* a store of a sync point was made: nobody waits any more */
  _Alignas(64) uint32_t waiting;    /* threads that wait */
  _Alignas(64) uint32_t privileged; /* the thread that passes all waits, or 0 */
  _Alignas(64) uint64_t accesses;   /* of PM, by all threads */
  uint32_t shared;                  /* a second thread has accessed PM */
  uint32_t same_word;               /* enum perdure_same_word */
  uint32_t matches;                 /* stores that counted where several may, up to a few */
  uint32_t fed;                     /* work comes from outside while the program runs: threads that wait for it may get on at any time */
  uint32_t failed;                  /* the calls, as events number them, of the thread that a signal ended; 0: none */
  uint64_t awaited[PERDURE_AWAITED]; /* the words that readers wait to load, or have loaded and wait for, by thread; 0: none */
  uint32_t idle[PERDURE_AWAITED];    /* threads that wait at a sync point or spin, by thread: the kernel's numbers; 0: none */
  _Alignas(64) struct perdure_sync_point points[PERDURE_SYNC_POINTS];
  struct perdure_turn turns[PERDURE_TURNS];
  _Alignas(64) uint8_t coverage[PERDURE_COVERAGE_BYTES];
};

#endif
