/* Functions that read a floating-point number from the beginning of a text. */
#include "libc_memory.h"
#include "real.h"
#include <stdlib.h>

#define NUMBER(type, name)                                                                                                                 \
  REAL(name);                                                                                                                              \
  EXPORT type name(const char *restrict text, char **restrict end) {                                                                       \
    char *stop;                                                                                                                            \
    type value = CALL(name)(text, &stop);                                                                                                  \
    number_read(text, stop);                                                                                                               \
    if (end != NULL) {                                                                                                                     \
      *end = stop;                                                                                                                         \
    }                                                                                                                                      \
    return value;                                                                                                                          \
  }
NUMBER(float, strtof)
NUMBER(double, strtod)
NUMBER(long double, strtold)

EXPORT double atof(const char *text) { return strtod(text, NULL); }
