/* Labels of values and memory; see perdure_hooks.h. */
#ifndef PERDURE_LABELS_H
#define PERDURE_LABELS_H
#include "runtime.h"

/* labels.c */
uint32_t label_new(void);
uint32_t *label_page(uint64_t addr);
void label_move(uint64_t to, uint64_t from, size_t length);

/* label_unions.c */
bool label_unions_open(void);

#endif
