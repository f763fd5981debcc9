/* Labels of values and memory; see perdure_hooks.h. */
#ifndef PERDURE_LABELS_H
#define PERDURE_LABELS_H
#include "runtime.h"

/* labels.c */
uint32_t label_new(void);
uint32_t *label_page(uint64_t addr);
void label_move(uint64_t to, uint64_t from, size_t length);

/* label_flows.c: copies and fills of code that is not instrumented for labels */
void labels_follow_told_copy(void *to, const void *from, size_t length);
void labels_follow_told_fill(void *to, size_t length);

static inline void labels_follow_copy(void *to, const void *from, size_t length) {
  if (__perdure_shadow != NULL) {
    labels_follow_told_copy(to, from, length);
  }
}

static inline void labels_follow_fill(void *to, size_t length) {
  if (__perdure_shadow != NULL) {
    labels_follow_told_fill(to, length);
  }
}

/* label_unions.c */
bool label_unions_open(void);

#endif
