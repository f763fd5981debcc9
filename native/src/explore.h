/* Steering threads at accesses of PM; see perdure_exploration.h. */
#ifndef PERDURE_EXPLORE_H
#define PERDURE_EXPLORE_H
#include "perdure_exploration.h"
#include "runtime.h"

extern struct perdure_exploration *perdure_exploration; /* null: nothing is steered */

void explore_load(uint32_t site);
void explore_store(void);
void explore_stored(uint32_t site);

static inline void explore_before_load(uint32_t site) {
  if (perdure_exploration != NULL) {
    explore_load(site);
  }
}

static inline void explore_before_store(void) {
  if (perdure_exploration != NULL) {
    explore_store();
  }
}

static inline void explore_after_store(uint32_t site) {
  if (perdure_exploration != NULL) {
    explore_stored(site);
  }
}

#endif
