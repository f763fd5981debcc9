#include "spinning.h"
#include "runtime.h"
#include "standstill.h"
#include "system.h"

#define SPIN 32 /* so many reads in turn, and nothing else */
#define SPIN_NAP UINT64_C(50000) /* nanoseconds, at first */
#define LONGEST_SPIN_NAP UINT64_C(2000000)
#define FEW 8

static _Thread_local const void *lately[FEW];
static _Thread_local unsigned next, reads_of_few;
static _Thread_local uint64_t spins_since; /* nanoseconds */
static _Thread_local const void *last;
static _Thread_local unsigned reads_of_last;

static bool known(const void *addr) {
  for (unsigned i = 0; i < FEW; i++) {
    if (lately[i] == addr) {
      return true;
    }
  }
  lately[next++ % FEW] = addr;
  reads_of_few = 0;
  idle_end();
  return false;
}

/* Longer and longer, by a quarter of the time that it has taken so far: what is waited for is seen soon enough, and few reads are recorded. */
static void nap(void) {
  uint64_t now = system_nanoseconds();
  if (reads_of_few == SPIN) {
    spins_since = now;
  }
  uint64_t quarter = (now - spins_since) / 4;
  system_sleep(quarter < SPIN_NAP ? SPIN_NAP : quarter < LONGEST_SPIN_NAP ? quarter : LONGEST_SPIN_NAP);
}

enum progress progress_by_load(const void *addr) {
  reads_of_last = addr == last ? reads_of_last + 1 : 0;
  last = addr;
  if (!known(addr) || ++reads_of_few < SPIN) {
    return GETS_ON;
  }
  idle_begin();
  if (reads_of_few % SPIN == 0) {
    nap();
  }
  return reads_of_last >= SPIN ? SPINS_ON_ONE : SPINS_AMONG_FEW;
}

enum progress progress_by_store(const void *addr) {
  if (addr != last) {
    last = NULL;
  }
  return known(addr) && reads_of_few >= SPIN ? SPINS_AMONG_FEW : GETS_ON;
}
