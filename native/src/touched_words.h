/* Words that read-modify-writes have touched: locks, mostly. Plain volatile accesses of them are recorded, too. */
#ifndef PERDURE_TOUCHED_WORDS_H
#define PERDURE_TOUCHED_WORDS_H
#include "runtime.h"

#define TOUCHED_SLOTS 131072u
#define TOUCHED_PROBES 8u

/* Open-addressed, never shrinks; 0 is empty. A word that finds no room is forgotten. */
extern uint64_t perdure_touched[TOUCHED_SLOTS];

static inline uint32_t touched_slot(uint64_t word) { return (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (TOUCHED_SLOTS - 1); }

/* A bit for each word by the low bits of its number: small enough to stay near, it answers for most words. */
#define TOUCHED_FILTER_BITS 65536u
extern uint64_t perdure_touched_filter[TOUCHED_FILTER_BITS / 64];

static inline bool touched_words_may_have(uint64_t addr) {
  uint64_t word = addr >> 3;
  return (__atomic_load_n(&perdure_touched_filter[word / 64 % (TOUCHED_FILTER_BITS / 64)], __ATOMIC_RELAXED) >> word % 64 & 1) != 0;
}

static inline bool touched_words_has(uint64_t addr) {
  uint64_t word = addr >> 3;
  if (likely(!touched_words_may_have(addr))) {
    return false;
  }
  uint32_t slot = touched_slot(word);
  for (uint32_t i = 0; i < TOUCHED_PROBES; i++) {
    uint64_t found = __atomic_load_n(&perdure_touched[(slot + i) & (TOUCHED_SLOTS - 1)], __ATOMIC_RELAXED);
    if (found == word || found == 0) {
      return found == word;
    }
  }
  return false;
}

void touched_words_insert(uint64_t addr);
void touched_words_each(void (*action)(uint64_t addr));

static inline void touched_words_add(uint64_t addr) {
  if (unlikely(!touched_words_has(addr))) {
    touched_words_insert(addr);
  }
}

#endif
