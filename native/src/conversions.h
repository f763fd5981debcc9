/* What the formats of printf and scanf name. */
#ifndef PERDURE_CONVERSIONS_H
#define PERDURE_CONVERSIONS_H
#include <stdbool.h>
#include <stddef.h>

enum conversion_size { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_DOUBLE };

struct conversion {
  char letter;
  enum conversion_size size;
  bool star_width, star_precision; /* printf takes them from the arguments */
  bool skipped, allocates;         /* scanf */
  size_t width;                    /* 0: none */
  size_t precision;                /* SIZE_MAX: none */
};

/* Reads the next conversion, percent signs aside, and returns what lies behind it; null where there is none, or where an argument is named
 * by its position. */
const char *conversion_next(const char *format, bool scans, struct conversion *c);
bool conversion_is_real(const struct conversion *c);
/* How many bytes scanf has left there. */
size_t conversion_scanned(const struct conversion *c, const void *at);

/* Whether a character is one of those; libc's own search is recorded. */
bool is_one_of(char c, const char *set);

#endif
