/* Unions of labels, interned: the same two always have the same union. A table whose entries are never removed. Most unions are of a label
 * that was made just before: the larger one says where to look first, so that a short run touches a few pages of the table only. Where its
 * neighbourhood is full, the union is anywhere, by a hash; when that is full, too, the larger of two labels stands for both. */
#include "labels.h"
#include "ring.h"
#include "system.h"
#include <sys/mman.h>

#define SLOTS (UINT32_C(1) << 22)
#define NEIGHBOURS 16
#define MOST_PROBES 64

struct label_union {
  uint64_t parts;
  uint32_t label; /* 0 while it is being made */
  uint32_t unused;
};

static struct label_union *unions;

bool label_unions_open(void) {
  long address =
      SYSTEM6(SYS_mmap, 0, SLOTS * sizeof(struct label_union), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  unions = system_failed(address) ? NULL : (struct label_union *)address;
  return unions != NULL;
}

static uint32_t await_label(const struct label_union *slot) {
  uint32_t label;
  while ((label = __atomic_load_n(&slot->label, __ATOMIC_ACQUIRE)) == 0) {
    system_yield();
  }
  return label;
}

/* The event comes before the label can be seen by others: who uses it does so later. */
static uint32_t fill(struct label_union *slot, uint64_t parts) {
  uint32_t label = label_new();
  if (label == 0) {
    label = (uint32_t)parts;
  } else {
    record(STAMP_BEFORE, PERDURE_EV_LABEL_UNION, 0, label, parts, 0, 0);
  }
  __atomic_store_n(&slot->label, label, __ATOMIC_RELEASE);
  return label;
}

/* The label of the union if it is among some slots, or can be put there; else 0. */
static uint32_t union_in(uint64_t first, uint32_t count, uint64_t parts) {
  for (uint32_t i = 0; i < count; i++) {
    struct label_union *slot = &unions[(first + i) & (SLOTS - 1)];
    uint64_t found = __atomic_load_n(&slot->parts, __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(&slot->parts, &found, parts, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      return fill(slot, parts);
    }
    if (found == parts) {
      return await_label(slot);
    }
  }
  return 0;
}

EXPORT uint32_t __perdure_label_union(uint32_t a, uint32_t b) {
  if (a == b || a == 0 || b == 0) {
    return a | b;
  }
  uint32_t larger = a > b ? a : b;
  uint64_t parts = (uint64_t)(a ^ b ^ larger) << 32 | larger;
  uint32_t label = union_in((uint64_t)larger << 1, NEIGHBOURS, parts);
  if (label == 0) {
    label = union_in(parts * UINT64_C(0x9E3779B97F4A7C15) >> 40, MOST_PROBES, parts);
  }
  return label != 0 ? label : larger;
}
