/* The gates before and after string instructions, repeated or not. */
#include "gate_accesses.h"

enum { RCX = 1, RSI = 6, RDI = 7 };
enum { MOVS = 0xa4, CMPS = 0xa6, STOS = 0xaa, LODS = 0xac, SCAS = 0xae };

static void stored_pattern(uint64_t addr, uint64_t pattern, uint32_t size, uint64_t length, uint32_t site) {
  unsigned char bytes[256];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (unsigned char)(pattern >> 8 * (i % size));
  }
  for (uint64_t done = 0; done < length; done += sizeof bytes) {
    uint64_t part = length - done < sizeof bytes ? length - done : sizeof bytes;
    __perdure_store_block((void *)(addr + done), bytes, part, 0, site);
  }
}

void perdure_gate_string_begin(struct gate_frame *frame) {
  uint64_t *r = frame->registers;
  uint32_t size = size_of(frame), kind = register_of(frame) & 0xfe, site = site_of(frame);
  uint64_t length = (flags_of(frame) != 0 ? r[RCX] : 1) * size;
  frame->stack[0] = r[RCX];
  frame->stack[1] = r[RSI];
  frame->stack[2] = r[RDI];
  if (!watching() || length == 0 || !pm_is((const void *)r[RDI], length)) {
    return;
  }
  uint32_t stack = stack_of(frame);
  show_stack(stack);
  if (kind == MOVS) {
    __perdure_store_block((void *)r[RDI], (const void *)r[RSI], length, 0, site);
  } else if (kind == STOS) {
    stored_pattern(r[RDI], r[0], size, length, site);
  }
  hide_stack(stack);
}

void perdure_gate_string_end(struct gate_frame *frame) {
  uint32_t size = size_of(frame), kind = register_of(frame) & 0xfe, site = site_of(frame);
  uint64_t length = (flags_of(frame) != 0 ? frame->stack[0] - frame->registers[RCX] : 1) * size;
  if (!watching() || length == 0 || perdure_self.trusts_loads) {
    return;
  }
  uint32_t stack = pm_possible((const void *)frame->stack[1], length) || pm_possible((const void *)frame->stack[2], length) ? stack_of(frame) : 0;
  show_stack(stack);
  if (kind == MOVS || kind == LODS || kind == CMPS) {
    __perdure_load_block((const void *)frame->stack[1], length, site);
  }
  if (kind == SCAS || kind == CMPS) {
    __perdure_load_block((const void *)frame->stack[2], length, site);
  }
  hide_stack(stack);
}
