#include "touched_words.h"
#include "gates.h"

uint64_t perdure_touched[TOUCHED_SLOTS];
uint64_t perdure_touched_filter[TOUCHED_FILTER_BITS / 64];

COLD void touched_words_insert(uint64_t addr) {
  uint64_t word = addr >> 3;
  uint32_t slot = touched_slot(word);
  __atomic_or_fetch(&perdure_touched_filter[word / 64 % (TOUCHED_FILTER_BITS / 64)], UINT64_C(1) << word % 64, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < TOUCHED_PROBES; i++) {
    uint64_t expected = 0;
    if (__atomic_compare_exchange_n(&perdure_touched[(slot + i) & (TOUCHED_SLOTS - 1)], &expected, word, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) ||
        expected == word) {
      gates_watch_word(addr);
      return;
    }
  }
}

void touched_words_each(void (*action)(uint64_t addr)) {
  for (uint32_t i = 0; i < TOUCHED_SLOTS; i++) {
    uint64_t word = __atomic_load_n(&perdure_touched[i], __ATOMIC_SEQ_CST);
    if (word != 0) {
      action(word << 3);
    }
  }
}
