/* Threads of this process that wait for the reader. One of them looks now and then how far it has come, and wakes the others. */
#ifndef PERDURE_ROOM_H
#define PERDURE_ROOM_H
#include "runtime.h"
#pragma GCC visibility push(hidden)

/* Sleeps until the reader has come to a position of the thread's ring, or for a while: the caller looks itself. since: when it began to wait. */
void room_await(struct perdure_self *self, uint64_t position, uint64_t since);
/* The thread goes on. */
void room_leave(struct perdure_self *self);
void room_after_fork(void);

#pragma GCC visibility pop
#endif
