/* Synchronisation that the libraries do inside their own calls is not the program's. */
#ifndef PERDURE_LOCKS_H
#define PERDURE_LOCKS_H
#include "pm.h"

static inline bool lock_events_wanted(void) { return perdure_recording && (perdure_self.quiet | perdure_self.library) == 0; }

#endif
