/* The gates for instructions that find their bit or byte by a register, from the operand on. */
#include "gate_accesses.h"

enum { RBX = 3 };

/* A bit string begins at the operand, and the bit may be anywhere: its word is what is accessed. */
static uint64_t word_of_bit(const struct gate_frame *frame) {
  uint32_t size = size_of(frame);
  int64_t bit = (int64_t)(frame->registers[register_of(frame)] << (64 - 8 * size)) >> (64 - 8 * size);
  return frame->ADDRESS + (uint64_t)(bit >> (__builtin_ctz(size) + 3)) * size;
}

void perdure_gate_bit_begin(struct gate_frame *frame) {
  frame->ADDRESS = word_of_bit(frame);
  if ((flags_of(frame) & STORE_ATOMIC) != 0) {
    perdure_gate_atomic_begin(frame);
  } else if ((flags_of(frame) & STORE_UPDATES) != 0) {
    perdure_gate_store_begin(frame);
  }
}

void perdure_gate_bit_end(struct gate_frame *frame) {
  if ((flags_of(frame) & STORE_ATOMIC) != 0) {
    perdure_gate_atomic_end(frame);
  } else if ((flags_of(frame) & STORE_UPDATES) != 0) {
    perdure_gate_store_end(frame);
  } else {
    perdure_gate_load_now(frame);
  }
}

/* xlat has replaced al: what it was stands on the stack. */
void perdure_gate_translate(struct gate_frame *frame) {
  loaded_word(frame, frame->registers[RBX] + (frame->stack[0] & 0xff), 1, 4);
}
