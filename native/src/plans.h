/* Which plan belongs to a module: by the index beside the recording, else by asking the Java side, which then makes one. */
#ifndef PERDURE_PLANS_H
#define PERDURE_PLANS_H
#include "runtime.h"

enum plan_answer {
  PLAN_NONE,  /* the module stays as it is */
  PLAN_HOOKS, /* it was built with perdure cc, and observes itself */
  PLAN_FILE
};

/* Whether there are plans beside the recording. */
bool plans_open(const char *recording);
/* The answer for a module; the path of its plan goes into `file`. */
enum plan_answer plans_find(const char *module, char *file, size_t room);
/* Says that something runs unobserved: in the report, or where that cannot be reached on standard error. */
void plans_unobserved(const char *what, const char *why);
/* The bytes of a file in private memory, or null. */
void *plans_map_file(const char *path, size_t *bytes);

#endif
