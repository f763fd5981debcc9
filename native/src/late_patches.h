/* Patches that wait until the process has persistent memory or a second thread. What they let us see is of no interest before that,
 * and while there is one thread the text can be changed in one go. */
#ifndef PERDURE_LATE_PATCHES_H
#define PERDURE_LATE_PATCHES_H
#include "patching.h"

/* Whether patches that are not early have to wait. */
bool late_patches_wait(void);
/* Keeps a module whose early patches are made. */
void late_patches_add(const struct patched_text *text);
/* The module at that address was unloaded; false if nothing of it waits. The plan of a text that has one of its own is unmapped. */
bool late_patches_forget(uint64_t module);
/* Makes them all: the process is about to have persistent memory, or a second thread. */
void late_patches_make(void);

#endif
