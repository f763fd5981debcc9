/* Load-time patching: plans that the Java side has made are applied to the modules of the process. */
#ifndef PERDURE_PATCHING_H
#define PERDURE_PATCHING_H
#include "runtime.h"

/* Patches what is loaded, if there are plans beside the recording. */
void patching_start(const char *recording);

#endif
