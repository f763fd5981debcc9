/* The libc functions that copy, fill and read memory. */
#ifndef PERDURE_LIBC_MEMORY_H
#define PERDURE_LIBC_MEMORY_H
#include "pm.h"
#include <string.h>

/* The test that ordinary memory pays for. */
static inline bool touches(const void *addr, size_t length) { return unlikely(pm_possible(addr, length)) && perdure_self.quiet == 0; }
/* Of a string, whose end is not known yet: the block it begins in, and the next. */
static inline bool touches_text(const void *text) { return touches(text, 1u << 20); }

/* A function has left its result there. */
static inline void left(void *result, size_t length) {
  if (result != NULL && unlikely(touches(result, length))) {
    emit_store(result, result, length);
  }
}

/* Of a text with its end, measured without recording that. */
static inline size_t size_of_text(const char *text) {
  perdure_self.quiet++;
  size_t size = strlen(text) + 1;
  perdure_self.quiet--;
  return size;
}

static inline void text_read(const char *text) {
  if (unlikely(touches_text(text))) {
    emit_load(text, size_of_text(text));
  }
}

/* Of a text that begins with a number: up to and with the byte that is no part of it any more. */
static inline void number_read(const char *text, const char *end) {
  if (unlikely(touches_text(text))) {
    emit_load(text, (size_t)(end - text) + 1);
  }
}

#endif
