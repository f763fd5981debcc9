/* Call stacks: the shadow stack that instrumented callers push to, and the table of interned stacks in the recording. */
#ifndef PERDURE_STACKS_H
#define PERDURE_STACKS_H
#include "runtime.h"

/* The number of the stack whose top is below sp. */
uint32_t stack_intern(struct perdure_self *self, uint64_t *sp);
/* The number of the stack `site` on top of `parent`. */
uint32_t stack_intern_frame(uint32_t parent, uint32_t site);
void stack_table_open(struct perdure_stack *table, uint32_t slots);

/* The whole shadow stack, for hooks that bring their own site. */
static inline uint32_t stack_number(struct perdure_self *self) {
  uint64_t *sp = self->sp;
  uint32_t number = (uint32_t)(sp[-1] >> 32);
  if (unlikely(number == 0) && sp != self->base) {
    number = stack_intern(self, sp);
  }
  return number;
}

/* Where an interposed function was called: the top of the shadow stack, and the stack below it. */
struct place {
  uint32_t site;
  uint32_t stack;
  /* Whether another event of the thread comes soon after the call. No bool: a word that is returned in parts and read as a whole
   * waits until the parts are in the cache. */
  uint32_t followed;
};
static inline uint32_t site_on_stack(uint64_t entry) { return (uint32_t)entry & ~PERDURE_CALL_FOLLOWED; }
static inline struct place place_on_stack(uint64_t entry, uint32_t stack) {
  return (struct place){site_on_stack(entry), stack, (entry & PERDURE_CALL_FOLLOWED) != 0};
}
struct place place_with_new_stack(struct perdure_self *self);
/* By the real stack, where the caller keeps no shadow stack: a plain binary that was patched. */
struct place place_in_plain_code(void);

static inline struct place place_of_caller(struct perdure_self *self) {
  uint64_t *sp = self->sp;
  int64_t depth = sp - self->base;
  if (unlikely(depth < 2)) {
    return depth == 1 ? place_on_stack(sp[-1], 0) : place_in_plain_code();
  }
  uint32_t stack = (uint32_t)(sp[-2] >> 32);
  return likely(stack != 0) ? place_on_stack(sp[-1], stack) : place_with_new_stack(self);
}

/* Room for the shadow stack of a thread whose own stack has that size; null when there is no memory. The first words of the
 * room are free for the creator of the thread. */
#define SHADOW_START_WORDS 8
struct shadow_stack {
  uint64_t *words;
  size_t bytes; /* without its guard page */
};
bool shadow_stack_create(size_t stack_bytes, struct shadow_stack *out);
void shadow_stack_destroy(struct shadow_stack stack);
void shadow_stack_use(struct perdure_self *self, struct shadow_stack stack);
/* Goes back to the area that threads have before they get their own. */
void shadow_stack_leave(struct perdure_self *self);
void shadow_stack_for_main(struct perdure_self *self);

#endif
