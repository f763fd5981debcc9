/* Makes basic blocks visible in a recording: linked to a program that was compiled with -fsanitize-coverage=trace-pc, each block
 * that a thread enters becomes a load of the page below. `perdure bench regions` counts them within regions. */
#include "perdure.h"

static _Alignas(4096) volatile char page[4096];

__attribute__((constructor, no_sanitize("coverage"))) static void announce(void) { PERDURE_PM((void *)page, sizeof page); }

__attribute__((no_sanitize("coverage"))) void __sanitizer_cov_trace_pc(void) { (void)page[0]; }
