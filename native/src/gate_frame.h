/* What a gate finds when patched code has called it. */
#ifndef PERDURE_GATE_FRAME_H
#define PERDURE_GATE_FRAME_H
#include "callers.h"
#include "runtime.h"

/* The registers of the patched code by their numbers (not rsp), its flags, the return address, and its stack. */
struct gate_frame {
  uint64_t registers[16];
  uint64_t flags; /* as lahf and seto leave them in rax */
  const unsigned char *told;
  uint64_t stack[];
};

/* Which of the words behind the call says what. The constant is there for some gates only. */
enum { TOLD_SITE = 0, TOLD_DESCRIPTION = 1, TOLD_FRAME = 2, TOLD_CONSTANT = 3 };

static inline uint32_t told(const struct gate_frame *frame, int which) {
  uint32_t value;
  __builtin_memcpy(&value, frame->told + 3 + 7 * which, sizeof value);
  return value;
}
static inline uint32_t site_of(const struct gate_frame *frame) { return told(frame, TOLD_SITE); }

/* Hooks that take the stack of the thread find it here. */
static inline void show_stack(uint32_t number) {
  struct perdure_self *self = &perdure_self;
  *self->sp = (uint64_t)number << 32;
  self->sp += number != 0;
}
static inline void hide_stack(uint32_t number) { perdure_self.sp -= number != 0; }

#endif
