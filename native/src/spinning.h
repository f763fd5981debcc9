/* Which threads spin: they get on by what others do alone, and their reads are no progress. */
#ifndef PERDURE_SPINNING_H
#define PERDURE_SPINNING_H
#include <stdbool.h>

/* Somebody who waits for a lock to become free may read the way to it each time: few words over and over, or just the one. */
enum progress { GETS_ON, SPINS_AMONG_FEW, SPINS_ON_ONE };

/* Before a load of PM; a spinning thread leaves the processor to others now and then. */
enum progress progress_by_load(const void *addr);
/* Before a store of PM. One to a word that was read may be the other half of an exchange, which may fail. */
enum progress progress_by_store(const void *addr);

#endif
