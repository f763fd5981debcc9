/* What callers_of_call does, for functions that are written down by hand. */
#ifndef PERDURE_QUICK_CALLERS_H
#define PERDURE_QUICK_CALLERS_H
#include "callers.h"
#include "quick.h"

_Static_assert(sizeof(struct known_stack) == 1 << 6 && MORE_CLUES_BYTES == 12 << 6, "as below");
_Static_assert(offsetof(struct known_stack, place) == 0 && offsetof(struct known_stack, rsp) == 8 && offsetof(struct known_stack, rbp) == 16 &&
                   offsetof(struct known_stack, first.at) == 24 && offsetof(struct known_stack, first.value) == 32 &&
                   offsetof(struct known_stack, number) == 40 && offsetof(struct known_stack, above) == 44 &&
                   offsetof(struct known_stack, callers) == 48 && offsetof(struct known_stack, site) == 52 &&
                   offsetof(struct known_stack, clues) == 56 && offsetof(struct known_stack, depends_on_rbp) == 58 &&
                   offsetof(struct known_stack, followed) == 59,
               "known stacks: an instruction can name some thirty numbers only");

/* rcx: where the call returns to, rdx: rsp behind it; r11: the thread's state. Then rax: the known stack; rcx and rdx are used. Code that was
 * called by instrumented code, and a stack that is not known, lead elsewhere; so does `unless_same_rbp`, where the stack depends on
 * the caller's rbp. `note` is done where it does not. */
#define FIND_KNOWN_STACK(unless_same_rbp, note, otherwise)                                                                                 \
  "movq %%rdx, %%rax\n shlq $17, %%rax\n xorq %%rcx, %%rax\n imulq perdure_callers_factor(%%rip), %%rax\n shrq %[known_shift], %%rax\n"    \
  "shlq $6, %%rax\n addq %%fs:%c[known_stacks](%%r11), %%rax\n"                                                                            \
  "cmpq %%rcx, 0(%%rax)\n jne " otherwise "\n cmpq %%rdx, 8(%%rax)\n jne " otherwise "\n"                                    \
  "cmpl $0, 44(%%rax)\n jne " otherwise "\n cmpb $0, 58(%%rax)\n je 30f\n" unless_same_rbp "jmp 31f\n"              \
  "30: " note "31: movq %%fs:%c[sp](%%r11), %%rcx\n cmpq %%fs:%c[base](%%r11), %%rcx\n ja " otherwise "\n" UNLESS_CLUES_HOLD(otherwise)
/* The same, where it is likely to be the one that was found last. */
#define FIND_LAST_KNOWN_STACK(unless_same_rbp, otherwise)                                                                                  \
  "movq %%fs:%c[last_stack](%%r11), %%rax\n cmpq %%rdx, 8(%%rax)\n jne 34f\n cmpq %%rcx, 0(%%rax)\n je 31f\n"                \
  "34: " FIND_KNOWN_STACK(unless_same_rbp, "movq %%rax, %%fs:%c[last_stack](%%r11)\n", otherwise)
/* rax: a known stack; by way of rcx and rdx. */
#define UNLESS_CLUES_HOLD(otherwise)                                                                                                       \
  "cmpw $1, 56(%%rax)\n jb 33f\n"                                                                                                   \
  "movq 24(%%rax), %%rcx\n movq (%%rcx), %%rcx\n cmpq 32(%%rax), %%rcx\n jne " otherwise "\n"                         \
  "cmpw $1, 56(%%rax)\n je 33f\n"                                                                                                   \
  "movq %%fs:%c[known_stacks](%%r11), %%rcx\n movq %%rax, %%rdx\n subq %%rcx, %%rdx\n leaq (%%rdx,%%rdx,2), %%rdx\n"                       \
  "leaq %c[known_bytes](%%rcx,%%rdx,4), %%rcx\n"                                                                                           \
  "32: movq (%%rcx), %%rdx\n testq %%rdx, %%rdx\n jz 33f\n movq (%%rdx), %%rdx\n cmpq 8(%%rcx), %%rdx\n jne " otherwise "\n"               \
  "addq $16, %%rcx\n jmp 32b\n"                                                                                                            \
  "33:"
#define CALLER_NUMBERS                                                                                                                     \
  [known_shift] "i"(KNOWN_STACKS_SHIFT), [known_bytes] "i"(KNOWN_BYTES), [known_stacks] "i"(offsetof(struct perdure_self, known_stacks)),  \
      [last_stack] "i"(offsetof(struct perdure_self, last_stack))

#endif
