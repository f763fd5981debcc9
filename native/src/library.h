/* Calls of the persistent memory libraries. Between LIBRARY_ENTER and LIBRARY_LEAVE events are the library's doing. */
#ifndef PERDURE_LIBRARY_H
#define PERDURE_LIBRARY_H
#include "pm.h"

/* Around a call of user code into a library: enters unless the thread is inside already. */
bool library_enter(void *frame);
void library_leave(bool entered);
/* A library calls back user code. */
uint32_t library_suspend(void);
void library_resume(uint32_t depth);

#endif
