/* Labels: sets of loads of PM that values depend on. A label is a number; what it stands for is told by events. */
#include "labels.h"
#include "pm.h"
#include "system.h"
#include <sys/mman.h>

EXPORT _Thread_local struct perdure_label_local __perdure_labels;
EXPORT uint32_t **__perdure_shadow;

#define SHADOW_PAGE (UINT64_C(1) << PERDURE_SHADOW_SHIFT)
#define SHADOW_PAGES (UINT64_C(1) << (47 - PERDURE_SHADOW_SHIFT))
#define BLOCK 1024u

static _Thread_local uint32_t next_label, labels_left;

static void *map_zeros(size_t bytes) {
  long address = SYSTEM6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return system_failed(address) ? NULL : (void *)address;
}

EXPORT void __perdure_labels_begin(void) {
  if (__perdure_shadow != NULL) {
    return;
  }
  __perdure_shadow = map_zeros(SHADOW_PAGES * sizeof(uint32_t *));
  if (__perdure_shadow == NULL || !label_unions_open()) {
    perdure_complain("labels", "there is no address space for them; the program cannot run so");
    SYSTEM(SYS_exit_group, 70, 0, 0);
  }
}

uint32_t *label_page(uint64_t addr) { return __atomic_load_n(&__perdure_shadow[addr >> PERDURE_SHADOW_SHIFT], __ATOMIC_ACQUIRE); }

static uint32_t *page_to_write(uint64_t addr) {
  uint32_t *page = label_page(addr);
  if (page != NULL) {
    return page;
  }
  uint32_t *fresh = map_zeros(SHADOW_PAGE * sizeof(uint32_t));
  if (fresh == NULL) {
    perdure_complain("labels", "no memory for them; some flows are not seen");
    return NULL;
  }
  if (__atomic_compare_exchange_n(&__perdure_shadow[addr >> PERDURE_SHADOW_SHIFT], &page, fresh, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    return fresh;
  }
  SYSTEM(SYS_munmap, fresh, SHADOW_PAGE * sizeof(uint32_t), 0);
  return page;
}

/* The number of bytes from addr on that one page of labels covers. */
static size_t on_page(uint64_t addr, size_t length) {
  size_t room = SHADOW_PAGE - (addr & (SHADOW_PAGE - 1));
  return length < room ? length : room;
}

/* A new number, or 0 when there are none left. */
uint32_t label_new(void) {
  if (labels_left == 0) {
    uint32_t block = __atomic_load_n(&perdure_counters->next_label, __ATOMIC_RELAXED);
    do {
      if (block >= UINT32_MAX - BLOCK) {
        return 0;
      }
    } while (!__atomic_compare_exchange_n(&perdure_counters->next_label, &block, block + BLOCK, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    next_label = block + 1;
    labels_left = BLOCK;
  }
  labels_left--;
  return next_label++;
}

EXPORT uint32_t __perdure_label_read(const void *addr, size_t length) {
  uint32_t label = 0, last = 0;
  for (uint64_t at = (uint64_t)addr; length > 0;) {
    size_t part = on_page(at, length);
    const uint32_t *page = label_page(at);
    const uint32_t *labels = page == NULL ? NULL : page + (at & (SHADOW_PAGE - 1));
    for (size_t i = 0; labels != NULL && i < part; i++) {
      if (labels[i] != last) {
        last = labels[i];
        label = __perdure_label_union(label, last);
      }
    }
    at += part;
    length -= part;
  }
  return label;
}

EXPORT void __perdure_label_write(void *addr, size_t length, uint32_t label) {
  for (uint64_t at = (uint64_t)addr; length > 0;) {
    size_t part = on_page(at, length);
    uint32_t *page = label == 0 ? label_page(at) : page_to_write(at);
    uint32_t *labels = page == NULL ? NULL : page + (at & (SHADOW_PAGE - 1));
    for (size_t i = 0; labels != NULL && i < part; i++) {
      labels[i] = label;
    }
    at += part;
    length -= part;
  }
}

/* From the end on where the ranges overlap so, as memmove does. */
void label_move(uint64_t to, uint64_t from, size_t length) {
  bool backwards = to > from && to < from + length;
  for (size_t done = 0; done < length; done++) {
    size_t i = backwards ? length - 1 - done : done;
    const uint32_t *source = label_page(from + i);
    uint32_t label = source == NULL ? 0 : source[(from + i) & (SHADOW_PAGE - 1)];
    uint32_t *target = label == 0 ? label_page(to + i) : page_to_write(to + i);
    if (target != NULL) {
      target[(to + i) & (SHADOW_PAGE - 1)] = label;
    }
  }
}
