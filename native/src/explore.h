/* Steering threads at accesses of PM; see perdure_exploration.h. */
#ifndef PERDURE_EXPLORE_H
#define PERDURE_EXPLORE_H
#include "perdure_exploration.h"
#include "runtime.h"

extern struct perdure_exploration *perdure_exploration; /* null: nothing is steered */

void explore_load(const void *addr, uint32_t site);
void explore_store(const void *addr, size_t length);
void explore_stored(uint32_t site);
void explore_flush(const void *addr, size_t length);
void explore_acquire(void);

static inline void explore_before_load(const void *addr, uint32_t site) {
  if (perdure_exploration != NULL) {
    explore_load(addr, site);
  }
}

static inline void explore_after_store(uint32_t site) {
  if (perdure_exploration != NULL) {
    explore_stored(site);
  }
}

static inline void explore_before_flush(const void *addr, size_t length) {
  if (perdure_exploration != NULL) {
    explore_flush(addr, length);
  }
}

static inline void explore_before_acquire(void) {
  if (unlikely(perdure_exploration != NULL)) {
    explore_acquire();
  }
}

#endif
