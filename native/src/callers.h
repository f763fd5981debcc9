/* Call stacks of patched programs: callers are found by what .eh_frame says of each address, which the plan holds as a table. */
#ifndef PERDURE_CALLERS_H
#define PERDURE_CALLERS_H
#include "stacks.h"

struct frame_shape {
  uint16_t offset;    /* in words */
  uint8_t saved_rbp;  /* in words before the frame's end; 0: not saved */
  uint8_t base;       /* enum frame_base */
};
/* The shape from an address on. */
struct frame_row {
  uint32_t address;
  struct frame_shape shape;
};
enum frame_base { FRAME_UNKNOWN = 0, FRAME_RSP = 1, FRAME_RBP = 2 };

/* A patched module. Its observed instructions have the site numbers from `base` on, its calls those behind them. */
struct patched_module {
  uint64_t module, low, high; /* high is 0 while it is not loaded */
  const uint8_t *id;
  unsigned char *copy;
  uint32_t base, sites, calls, rows;
  const uint32_t *returns; /* the address behind each call, times two, plus one where it acquires and another event comes soon */
  const struct frame_row *frame_rows;
};
void callers_add(const struct patched_module *module);
/* The module at that address was unloaded. */
void callers_remove(uint64_t module);
/* A module that was unloaded is back at its old place: gives its copy, or null if it was not there before. */
unsigned char *callers_return(uint64_t module, uint64_t high, const uint8_t id[16]);
/* Whether some module of the process is patched: then call stacks are found here. */
extern bool callers_wanted;

/* A word of the stack that callers were found by: a return address, or an rbp that a frame is counted from. */
struct clue {
  const uint64_t *at;
  uint64_t value;
};

/* The stack of a call that was found before, by where it returns to and by rsp behind it. It is the same again when every clue is where
 * it was. */
struct known_stack {
  _Alignas(64) uint64_t place; /* 0: none */
  uint64_t rsp;
  uint64_t rbp; /* of the caller, where it tells where the frames are */
  struct clue first;
  uint32_t number;         /* the stack with the call */
  uint32_t above;          /* the stack of the instrumented code that called the patched one */
  uint32_t callers;        /* the stack below the call */
  uint32_t site;           /* of the call */
  uint16_t clues; /* those behind the first one lie behind all known stacks */
  bool depends_on_rbp;
  bool followed; /* the call acquires, and another event comes soon */
};
_Static_assert(sizeof(struct known_stack) == 64, "a cache line");

#define KNOWN_STACKS 1024u
#define KNOWN_STACKS_SHIFT 54 /* of the product that says where a stack is */
#define KNOWN_BYTES (KNOWN_STACKS * sizeof(struct known_stack))
#define MORE_CLUES_BYTES 768
extern struct known_stack callers_none[KNOWN_STACKS]; /* of threads that know none yet */

/* The thread ends. */
void callers_forget(void);
const struct known_stack *callers_learn(uint64_t place, uint64_t rsp, uint64_t rbp);
bool callers_further_clues_hold(const struct known_stack *stack);
uint32_t callers_above(void);

#define CALLERS_FACTOR UINT64_C(0x9e3779b97f4a7c15)
extern const uint64_t perdure_callers_factor __attribute__((visibility("hidden")));
static inline struct known_stack *callers_place_of(uint64_t place, uint64_t rsp) {
  return &perdure_self.known_stacks[(place ^ rsp << 17) * CALLERS_FACTOR >> KNOWN_STACKS_SHIFT];
}

static inline const struct known_stack *callers_of_call(uint64_t place, uint64_t rsp, uint64_t rbp) {
  const struct known_stack *stack = callers_place_of(place, rsp);
  uint32_t above = likely(perdure_self.sp <= perdure_self.base) ? 0 : callers_above();
  if (likely(stack->place == place && stack->rsp == rsp && stack->above == above && (!stack->depends_on_rbp || stack->rbp == rbp) &&
             (stack->clues == 0 || *stack->first.at == stack->first.value) &&
             (stack->clues < 2 || callers_further_clues_hold(stack)))) {
    return stack;
  }
  return callers_learn(place, rsp, rbp);
}

#define LARGEST_FRAME (UINT64_C(4) << 20)

/* The end of the frame that a row speaks of, or 0. */
static inline uint64_t frame_end(struct frame_shape shape, uint64_t rsp, uint64_t rbp) {
  uint64_t end = (shape.base == FRAME_RSP ? rsp : rbp) + 8 * (uint64_t)shape.offset;
  return shape.base == FRAME_UNKNOWN || end <= rsp || end - rsp > LARGEST_FRAME || end % 8 != 0 ? 0 : end;
}

/* Where the caller's rbp is saved; null: it is still in the register. */
static inline const uint64_t *saved_rbp(struct frame_shape shape, uint64_t end) {
  return shape.saved_rbp != 0 ? (const uint64_t *)end - shape.saved_rbp : NULL;
}

/* The stack of an observed instruction, by its frame and the registers that it has. */
static inline uint32_t callers_of_site(struct frame_shape shape, uint64_t rsp, uint64_t rbp) {
  uint64_t end = frame_end(shape, rsp, rbp);
  if (unlikely(end == 0)) {
    return callers_above();
  }
  const uint64_t *saved = saved_rbp(shape, end);
  return callers_of_call(((const uint64_t *)end)[-1], end, saved != NULL ? *saved : rbp)->number;
}

/* Where an interposed function was called; frame is that of any function of the runtime. */
struct place callers_of_frame(const uint64_t *frame);
/* The call that returns to the address, with rsp behind it. */
struct place callers_of_return(uint64_t address, uint64_t rsp, uint64_t rbp);

#endif
