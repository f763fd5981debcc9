/* Functions of patched programs that the project's configuration names: their copy begins with a gate before and one after them. */
#include "callers.h"
#include "gate_frame.h"
#include "pm.h"

/* The order is that of dev.perdure.binary.plan.NamedFunction. */
enum named_kind { ACQUIRE, TRY_RESULT, TRY_OUT, RELEASE, ALLOC, FREE, FLUSH, PERSIST, FENCE, CREATE, JOIN };
enum { NO_ARGUMENT = 15, ARGUMENTS = 6, RETURN_ADDRESS = 7, RBP = 5 };

static inline enum named_kind kind_of(const struct gate_frame *frame) { return told(frame, TOLD_DESCRIPTION) & 15; }
static inline uint32_t flag_of(const struct gate_frame *frame) { return told(frame, TOLD_DESCRIPTION) >> 16 & 1; }
static inline uint32_t number_of(const struct gate_frame *frame, int which) { return told(frame, TOLD_DESCRIPTION) >> (4 + 4 * which) & 15; }

/* An argument of the function; 0 where it is not passed in a register. */
static uint64_t argument(const struct gate_frame *frame, int which) {
  uint32_t number = number_of(frame, which);
  return number < ARGUMENTS ? frame->stack[number] : 0;
}

/* The call of the function, which is where its events belong. */
static struct place place_of(const struct gate_frame *frame) {
  struct place place = callers_of_return(frame->stack[RETURN_ADDRESS], (uint64_t)(frame->stack + RETURN_ADDRESS + 1), frame->registers[RBP]);
  return place.site != 0 ? place : (struct place){.site = site_of(frame)};
}

static uint64_t length_of(const struct gate_frame *frame) {
  return number_of(frame, 1) == NO_ARGUMENT ? 1 : argument(frame, 1);
}

/* A function that takes its lock by another one of these makes one acquisition: its own. What an exception or longjmp has left behind lies
 * below the frames that come later. */
static void begin_acquisition(struct gate_frame *frame) {
  struct outer_acquisition *outer = &perdure_self.outer_acquisition;
  uint64_t lock = argument(frame, 0);
  if (outer->frame <= frame->stack || outer->lock != lock) {
    *outer = (struct outer_acquisition){frame->stack, lock};
  }
}

static bool is_outer_acquisition(const struct gate_frame *frame) {
  struct outer_acquisition *outer = &perdure_self.outer_acquisition;
  if (outer->frame > frame->stack && outer->lock == argument(frame, 0)) {
    return false;
  }
  outer->frame = NULL;
  return true;
}

void perdure_gate_named_begin(struct gate_frame *frame) {
  enum named_kind kind = kind_of(frame);
  if (watching() && kind <= TRY_OUT) {
    begin_acquisition(frame);
  }
  if (!watching() || kind < RELEASE || kind == ALLOC) {
    return;
  }
  struct place place = place_of(frame);
  void *first = (void *)argument(frame, 0);
  show_stack(place.stack);
  switch (kind) {
  case RELEASE:
    __perdure_named_release(first, flag_of(frame) ? PERDURE_LOCK_SHARED : 0, place.site);
    break;
  case FREE:
    __perdure_named_free(first, place.site);
    break;
  case FLUSH:
    __perdure_named_flush(first, length_of(frame), place.site);
    break;
  case PERSIST:
    __perdure_named_persist(first, length_of(frame), place.site);
    break;
  case CREATE:
    __perdure_named_create_begin();
    break;
  case JOIN:
    __perdure_named_join_begin((uint64_t)first);
    break;
  default:
    __perdure_named_fence(place.site);
  }
  hide_stack(place.stack);
}

/* Functions of 32 bits leave the upper half of rax as it is. */
static bool took_lock(const struct gate_frame *frame) {
  switch (kind_of(frame)) {
  case TRY_RESULT:
    return (uint32_t)frame->registers[RAX] == told(frame, TOLD_CONSTANT);
  case TRY_OUT: {
    const unsigned char *out = (const unsigned char *)argument(frame, 1);
    return out != NULL && *out != 0;
  }
  default:
    return true;
  }
}

static void allocated(const struct gate_frame *frame, uint32_t site) {
  uint64_t count = number_of(frame, 1) == NO_ARGUMENT ? 1 : argument(frame, 1);
  const void *const *out = (const void *const *)argument(frame, 2);
  void *address = number_of(frame, 2) == NO_ARGUMENT ? (void *)frame->registers[RAX] : out != NULL ? (void *)*out : NULL;
  if (address != NULL) {
    __perdure_named_alloc(address, argument(frame, 0) * count, flag_of(frame), site);
  }
}

void perdure_gate_named_end(struct gate_frame *frame) {
  enum named_kind kind = kind_of(frame);
  bool acquires = kind <= TRY_OUT;
  if (!watching() || (acquires ? !is_outer_acquisition(frame) || !took_lock(frame) : kind != ALLOC && kind != CREATE && kind != JOIN)) {
    return;
  }
  struct place place = place_of(frame);
  show_stack(place.stack);
  if (kind == ALLOC) {
    allocated(frame, place.site);
  } else if (kind == CREATE) {
    __perdure_named_create_end(number_of(frame, 0) == NO_ARGUMENT ? frame->registers[RAX] : argument(frame, 0));
  } else if (kind == JOIN) {
    __perdure_named_join_end(place.site);
  } else {
    uint32_t flags = (flag_of(frame) ? PERDURE_LOCK_SHARED : 0) | (kind != ACQUIRE ? PERDURE_LOCK_TRY : 0);
    __perdure_named_acquire((void *)argument(frame, 0), flags, place.site);
  }
  hide_stack(place.stack);
}
