/* Whether the threads of the process still get on, told by what the kernel says of them and by what they say of themselves. */
#ifndef PERDURE_STANDSTILL_H
#define PERDURE_STANDSTILL_H
#include <stdbool.h>
#include <stdint.h>

/* The calling thread waits, or spins, for what others do, until it says that it does not: that it has the processor now and then means
 * nothing. */
void idle_begin(void);
void idle_end(void);

/* Since when nothing was seen to happen. */
struct quiet {
  uint64_t accesses; /* of PM by all threads, when it began */
  uint64_t begin;    /* nanoseconds */
  uint64_t looked;   /* when threads were last looked at */
  uint64_t patience; /* so long without an access is a standstill, whatever threads do meanwhile */
  bool still;        /* everybody waited at that look */
};

struct quiet quiet_from(uint64_t patience);
/* No access of PM for a while, and everybody but the caller waited for others at two looks in turn; or no access for long. */
bool standstill(struct quiet *quiet);

#endif
