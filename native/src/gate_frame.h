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

enum { RAX = 0, RCX = 1, RSI = 6, RDI = 7 };

/* Saves what C may change: the general registers and the flags. */
#define GATE(name)                                                                                                                         \
  __asm__(".text\n.p2align 4\n.hidden gate_" #name "\n.globl gate_" #name "\n.type gate_" #name ", @function\ngate_" #name ":\n"                                                          \
          "lea -136(%rsp), %rsp\nmov %rax, (%rsp)\nlahf\nseto %al\nmov %rax, 128(%rsp)\n"                                                  \
          "mov %rcx, 8(%rsp)\nmov %rdx, 16(%rsp)\nmov %rbx, 24(%rsp)\nmov %rbp, 40(%rsp)\nmov %rsi, 48(%rsp)\nmov %rdi, 56(%rsp)\n"        \
          "mov %r8, 64(%rsp)\nmov %r9, 72(%rsp)\nmov %r10, 80(%rsp)\nmov %r11, 88(%rsp)\nmov %r12, 96(%rsp)\nmov %r13, 104(%rsp)\n"        \
          "mov %r14, 112(%rsp)\nmov %r15, 120(%rsp)\nmov %rsp, %rdi\nmov %rsp, %rbx\nand $-16, %rsp\ncall perdure_gate_" #name "\n"        \
          "mov %rbx, %rsp\nmov 128(%rsp), %rax\nadd $127, %al\nsahf\nmov (%rsp), %rax\nmov 8(%rsp), %rcx\nmov 16(%rsp), %rdx\n"            \
          "mov 24(%rsp), %rbx\nmov 48(%rsp), %rsi\nmov 56(%rsp), %rdi\nmov 64(%rsp), %r8\nmov 72(%rsp), %r9\nmov 80(%rsp), %r10\n"         \
          "mov 88(%rsp), %r11\nlea 136(%rsp), %rsp\nret\n.size gate_" #name ", .-gate_" #name "\n");                                       \
  void gate_##name(void)

#endif
