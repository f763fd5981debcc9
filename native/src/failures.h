/* Where the program was when a signal ended it. */
#ifndef PERDURE_FAILURES_H
#define PERDURE_FAILURES_H

/* Notes in the exploration area the calls of a thread that a signal ends, unless the program handles that itself. */
void failures_watch(void);

#endif
