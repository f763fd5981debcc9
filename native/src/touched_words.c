#include "touched_words.h"

uint64_t perdure_touched[TOUCHED_SLOTS];

COLD void touched_words_insert(uint64_t addr) {
  uint64_t word = addr >> 3;
  uint32_t slot = touched_slot(word);
  for (uint32_t i = 0; i < TOUCHED_PROBES; i++) {
    uint64_t expected = 0;
    if (__atomic_compare_exchange_n(&perdure_touched[(slot + i) & (TOUCHED_SLOTS - 1)], &expected, word, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) ||
        expected == word) {
      return;
    }
  }
}
