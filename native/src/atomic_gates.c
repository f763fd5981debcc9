/* The gates before and after locked instructions. */
#include "gate_accesses.h"

#define ZERO_FLAG (UINT64_C(1) << 14)

enum { ATOMIC_OTHER = 0, ATOMIC_EXCHANGE = 1, ATOMIC_CAS = 2, ATOMIC_EXCHANGE_ADD = 3 };

static inline uint32_t atomic_info(const struct gate_frame *frame) { return PERDURE_INFO(size_of(frame), PERDURE_SEQ_CST); }

void perdure_gate_atomic_begin(struct gate_frame *frame) {
  frame->CELL = watching();
  if (frame->CELL) {
    __perdure_rmw_begin((void *)frame->ADDRESS, atomic_info(frame), site_of(frame));
  }
}

static void compared(struct gate_frame *frame) {
  uint32_t size = size_of(frame), number = register_of(frame);
  bool pair = number == VALUE_IN_MEMORY, stored = (frame->flags & ZERO_FLAG) != 0;
  const uint64_t *r = frame->registers;
  uint64_t old[2] = {cut(r[0], size), 0}, new[2] = {0, 0};
  if (!pair) {
    new[0] = cut(r[number], size);
  } else if (size == 16) {
    old[1] = r[2];
    new[0] = r[3];
    new[1] = r[1];
  } else {
    old[0] = (uint64_t)(uint32_t)r[2] << 32 | (uint32_t)r[0];
    new[0] = (uint64_t)(uint32_t)r[1] << 32 | (uint32_t)r[3];
  }
  __perdure_rmw_end((void *)frame->ADDRESS, old, new, PERDURE_RMW_CAS, stored, atomic_info(frame), site_of(frame));
}

void perdure_gate_atomic_end(struct gate_frame *frame) {
  if (!frame->CELL) {
    return;
  }
  uint64_t addr = frame->ADDRESS;
  uint32_t size = size_of(frame), number = register_of(frame), how = flags_of(frame);
  uint32_t stack = stack_of(frame);
  show_stack(stack);
  if (how == ATOMIC_CAS) {
    compared(frame);
  } else if (number != VALUE_IN_MEMORY && (how == ATOMIC_EXCHANGE || how == ATOMIC_EXCHANGE_ADD)) {
    __perdure_rmw_end8((void *)addr, cut(frame->registers[number], size), look(addr, size),
                       how == ATOMIC_EXCHANGE ? PERDURE_RMW_EXCHANGE : PERDURE_RMW_OTHER, 1, atomic_info(frame), site_of(frame));
  } else {
    __perdure_rmw_end_unknown((void *)addr, how == ATOMIC_EXCHANGE ? PERDURE_RMW_EXCHANGE : PERDURE_RMW_OTHER, atomic_info(frame),
                              site_of(frame));
  }
  hide_stack(stack);
}
