#include "callers.h"
#include "ring.h"
#include "system.h"
#include <sys/mman.h>
#include <sys/resource.h>

#define PROBES 64

static struct perdure_stack *table;
static uint32_t table_mask;

void stack_table_open(struct perdure_stack *stacks, uint32_t slots) {
  table = stacks;
  table_mask = slots - 1;
}

static uint32_t hash(uint64_t key) {
  key ^= key >> 33;
  key *= UINT64_C(0xff51afd7ed558ccd);
  key ^= key >> 33;
  return (uint32_t)key;
}

/* The number of the stack `site` on top of `parent`, or `parent` where the table has no room or the site is not known. */
uint32_t stack_intern_frame(uint32_t parent, uint32_t site) {
  if (site == 0 || table == NULL) {
    return parent;
  }
  uint64_t key = (uint64_t)parent << 32 | site;
  uint32_t slot = hash(key);
  for (int i = 0; i < PROBES; i++, slot++) {
    uint64_t *word = &table[slot & table_mask].key;
    uint64_t found = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(word, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      return (slot & table_mask) + 1;
    }
    if (found == key) {
      return (slot & table_mask) + 1;
    }
  }
  __atomic_add_fetch(&perdure_counters->stacks_full, 1, __ATOMIC_RELAXED);
  return parent;
}

COLD uint32_t stack_intern(struct perdure_self *self, uint64_t *sp) {
  if (table == NULL || sp <= self->base) {
    return 0;
  }
  uint64_t *entry = sp;
  while (entry > self->base && entry[-1] >> 32 == 0) {
    entry--;
  }
  uint32_t number = entry > self->base ? (uint32_t)(entry[-1] >> 32) : 0;
  for (; entry < sp; entry++) {
    number = stack_intern_frame(number, site_on_stack(*entry));
    *entry = (uint64_t)number << 32 | (uint32_t)*entry;
  }
  return number;
}

COLD struct place place_in_plain_code(void) {
  return callers_wanted ? callers_of_frame(__builtin_frame_address(0)) : (struct place){.site = 0};
}

COLD struct place place_with_new_stack(struct perdure_self *self) {
  return place_on_stack(self->sp[-1], stack_intern(self, self->sp - 1));
}

/* ---- room for shadow stacks ----
 * An instrumented frame that calls takes 16 bytes of the real stack at least and 8 of the shadow stack. */

#define GUARD 4096u
#define LEAST (4u << 20)
#define LEAST_MAIN (32u << 20)
#define UNLIMITED (512u << 20)
#define KEPT 32

/* Rooms of the usual size that threads left behind; a new thread takes one with its pages already there. */
static uint64_t *kept[KEPT];

bool shadow_stack_create(size_t stack_bytes, struct shadow_stack *out) {
  size_t bytes = stack_bytes / 2 < LEAST ? LEAST : (stack_bytes / 2 + GUARD - 1) & ~(size_t)(GUARD - 1);
  out->bytes = bytes;
  if (bytes == LEAST) {
    for (int i = 0; i < KEPT; i++) {
      if (__atomic_load_n(&kept[i], __ATOMIC_RELAXED) != NULL) {
        out->words = __atomic_exchange_n(&kept[i], NULL, __ATOMIC_ACQUIRE);
        if (out->words != NULL) {
          return true;
        }
      }
    }
  }
  long room = SYSTEM6(SYS_mmap, 0, bytes + GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (system_failed(room)) {
    return false;
  }
  SYSTEM(SYS_mprotect, room + (long)bytes, GUARD, PROT_NONE);
  out->words = (uint64_t *)room;
  return true;
}

void shadow_stack_destroy(struct shadow_stack stack) {
  if (stack.bytes == LEAST) {
    for (int i = 0; i < KEPT; i++) {
      uint64_t *expected = NULL;
      if (__atomic_compare_exchange_n(&kept[i], &expected, stack.words, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        return;
      }
    }
  }
  SYSTEM(SYS_munmap, stack.words, stack.bytes + GUARD, 0);
}

/* All threads start in this area. What they write there is not read back unless they are alone in it: only threads that were
 * not made by pthread_create stay. */
static uint64_t beginning[1 << 20];

_Thread_local struct perdure_self perdure_self = {
    .sp = &beginning[1], .base = &beginning[1], .ring = &perdure_no_ring, .state = SELF_NEW, .known_stacks = callers_none, .last_stack = callers_none};

extern _Thread_local struct perdure_thread_local __perdure_tls __attribute__((alias("perdure_self"), visibility("default")));

void shadow_stack_use(struct perdure_self *self, struct shadow_stack stack) {
  uint64_t *base = stack.words + SHADOW_START_WORDS + 1;
  base[-1] = 0;
  self->shadow_words = stack.words;
  self->shadow_bytes = stack.bytes;
  self->base = base;
  self->sp = base;
}

void shadow_stack_leave(struct perdure_self *self) {
  self->base = &beginning[1];
  self->sp = &beginning[1];
  if (self->shadow_words != NULL) {
    shadow_stack_destroy((struct shadow_stack){self->shadow_words, self->shadow_bytes});
    self->shadow_words = NULL;
  }
}

void shadow_stack_for_main(struct perdure_self *self) {
  if (self->sp != self->base) {
    return;
  }
  struct rlimit limit = {0, 0};
  SYSTEM(SYS_getrlimit, RLIMIT_STACK, &limit, 0);
  size_t bytes = limit.rlim_cur < 2 * (size_t)LEAST_MAIN ? 2 * (size_t)LEAST_MAIN : limit.rlim_cur;
  struct shadow_stack stack;
  if (shadow_stack_create(bytes > 2 * (size_t)UNLIMITED ? 2 * (size_t)UNLIMITED : bytes, &stack)) {
    shadow_stack_use(self, stack);
  }
}
