/* Load-time patching: plans that the Java side has made are applied to the modules of the process. */
#ifndef PERDURE_PATCHING_H
#define PERDURE_PATCHING_H
#include "runtime.h"

/* Patches what is loaded, now and later, if there are plans beside the recording. */
void patching_start(const char *recording);
/* Patches a module that was loaded; false if it observes itself. */
bool patching_module(unsigned char *module, const char *path);

#endif
