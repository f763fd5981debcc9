/* The modules of the process, those of now and those that come and go with dlopen and dlclose. */
#ifndef PERDURE_LOADING_H
#define PERDURE_LOADING_H
#include "runtime.h"

/* Patches what is loaded, and from now on whatever is loaded, before its constructors run. */
void loading_follow(void);

#endif
