/* The gates before and after string instructions, repeated or not. */
#include "gate_accesses.h"
#include "string_instructions.h"

void perdure_gate_string_begin(struct gate_frame *frame) {
  const uint64_t *r = frame->registers;
  uint64_t count = flags_of(frame) != 0 ? r[RCX] : 1, length = count * size_of(frame);
  frame->stack[0] = r[RCX];
  frame->stack[1] = r[RSI];
  frame->stack[2] = r[RDI];
  if (!watching() || length == 0 || !pm_is((const void *)r[RDI], length)) {
    return;
  }
  uint32_t stack = stack_of(frame);
  show_stack(stack);
  string_stores(r, register_of(frame), size_of(frame), count, site_of(frame));
  hide_stack(stack);
}

void perdure_gate_string_end(struct gate_frame *frame) {
  uint64_t count = flags_of(frame) != 0 ? frame->stack[0] - frame->registers[RCX] : 1, length = count * size_of(frame);
  if (!watching() || length == 0 || perdure_self.trusts_loads) {
    return;
  }
  uint64_t from = frame->stack[1], to = frame->stack[2];
  uint32_t stack = pm_possible((const void *)from, length) || pm_possible((const void *)to, length) ? stack_of(frame) : 0;
  show_stack(stack);
  string_loaded(from, to, register_of(frame), length, site_of(frame));
  hide_stack(stack);
}
