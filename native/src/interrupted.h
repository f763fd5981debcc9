/* What the handlers of signals that run at this moment have interrupted in the calling thread. */
#ifndef PERDURE_INTERRUPTED_H
#define PERDURE_INTERRUPTED_H
#include <ucontext.h>

void interrupted_each(void (*visit)(ucontext_t *context));

#endif
