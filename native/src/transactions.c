/* Hardware transactions (xbegin, xend). Hooks run inside them, and what they record is undone with the rest when one aborts. But a page
 * that is not there aborts a transaction without ever being fetched, and so does waiting for room: the program would try again for ever.
 * So what hooks touch is made present before. */
#include "pm.h"
#include "ring.h"
#include "system.h"
#include "touched_words.h"
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#define PAGE_WORDS (PERDURE_PAGE / sizeof(uint64_t))

static void make_present(const void *from, size_t bytes, int how) {
  uintptr_t page = (uintptr_t)from & ~(uintptr_t)(PERDURE_PAGE - 1);
  uintptr_t end = (uintptr_t)from + bytes;
  if (!system_failed(SYSTEM(SYS_madvise, page, (end - page + PERDURE_PAGE - 1) & ~(uintptr_t)(PERDURE_PAGE - 1), how))) {
    return;
  }
  for (uint64_t *word = (uint64_t *)page; (uintptr_t)word < end; word += PAGE_WORDS) {
    if (how == MADV_POPULATE_WRITE) {
      __atomic_fetch_or(word, 0, __ATOMIC_RELAXED);
    } else {
      __atomic_load_n(word, __ATOMIC_RELAXED);
    }
  }
}

static COLD void make_tables_present(void) {
  make_present(perdure_header, perdure_header->data_offset, MADV_POPULATE_WRITE);
  make_present(__perdure_pm_map, sizeof __perdure_pm_map, MADV_POPULATE_READ);
  make_present(perdure_touched, sizeof perdure_touched, MADV_POPULATE_READ);
  make_present(perdure_touched_filter, sizeof perdure_touched_filter, MADV_POPULATE_READ);
}

/* The page of the next call, and the one behind it. */
static void make_shadow_stack_present(struct perdure_self *self) {
  uint64_t *end = self->shadow_words + self->shadow_bytes / sizeof(uint64_t);
  for (uint64_t *entry = self->sp; self->shadow_words != NULL && entry < end && entry <= self->sp + PAGE_WORDS; entry += PAGE_WORDS) {
    *(volatile uint64_t *)entry = 0;
  }
}

EXPORT void __perdure_transaction_ahead(void) {
  static uint32_t present;
  if (!perdure_recording) {
    return;
  }
  if (__atomic_load_n(&present, __ATOMIC_ACQUIRE) != perdure_pid) {
    make_tables_present();
    __atomic_store_n(&present, perdure_pid, __ATOMIC_RELEASE);
  }
  make_shadow_stack_present(&perdure_self);
  ring_keep_room(&perdure_self);
}

/* The beginning of a transaction orders nothing by itself; its end does as much as a locked instruction. */
EXPORT void __perdure_transaction_begun(uint32_t site) {
  __perdure_named_acquire((void *)PERDURE_TRANSACTION_LOCK, PERDURE_LOCK_NO_FENCE, site);
}

EXPORT void __perdure_transaction_end(uint32_t site) { __perdure_named_release((void *)PERDURE_TRANSACTION_LOCK, 0, site); }
