/* What callers_of_call does, for functions that are written down by hand. */
#ifndef PERDURE_QUICK_CALLERS_H
#define PERDURE_QUICK_CALLERS_H
#include "callers.h"
#include "quick.h"

_Static_assert(sizeof(struct known_stack) == 1 << 6 && MORE_CLUES_BYTES == 12 << 6, "as below");

/* rcx: where the call returns to, rdx: rsp behind it; r11: the thread's state. Then rax: the known stack; rcx and rdx are used. Code that was
 * called by instrumented code, and a stack that is not known, lead elsewhere; so does `unless_same_rbp`, where the stack depends on
 * the caller's rbp. */
#define FIND_KNOWN_STACK(unless_same_rbp, otherwise)                                                                                       \
  "movq %%rdx, %%rax\n shlq $17, %%rax\n xorq %%rcx, %%rax\n imulq perdure_callers_factor(%%rip), %%rax\n shrq %[known_shift], %%rax\n"    \
  "shlq $6, %%rax\n addq %%fs:%c[known_stacks](%%r11), %%rax\n"                                                                            \
  "cmpq %%rcx, %c[place](%%rax)\n jne " otherwise "\n cmpq %%rdx, %c[rsp](%%rax)\n jne " otherwise "\n"                                    \
  "movq %%fs:%c[sp](%%r11), %%rcx\n cmpq %%fs:%c[base](%%r11), %%rcx\n ja " otherwise "\n cmpl $0, %c[above](%%rax)\n jne " otherwise "\n" \
  "cmpb $0, %c[depends_on_rbp](%%rax)\n je 31f\n" unless_same_rbp                                                                          \
  "31: cmpw $1, %c[clues](%%rax)\n jb 33f\n"                                                                                               \
  "movq %c[clue_at](%%rax), %%rcx\n movq (%%rcx), %%rcx\n cmpq %c[clue_value](%%rax), %%rcx\n jne " otherwise "\n"                         \
  "cmpw $1, %c[clues](%%rax)\n je 33f\n"                                                                                                   \
  "movq %%fs:%c[known_stacks](%%r11), %%rcx\n movq %%rax, %%rdx\n subq %%rcx, %%rdx\n leaq (%%rdx,%%rdx,2), %%rdx\n"                       \
  "leaq %c[known_bytes](%%rcx,%%rdx,4), %%rcx\n"                                                                                           \
  "32: movq (%%rcx), %%rdx\n testq %%rdx, %%rdx\n jz 33f\n movq (%%rdx), %%rdx\n cmpq 8(%%rcx), %%rdx\n jne " otherwise "\n"               \
  "addq $16, %%rcx\n jmp 32b\n"                                                                                                            \
  "33:"
#define CALLER_NUMBERS                                                                                                                     \
  [known_shift] "i"(KNOWN_STACKS_SHIFT), [known_bytes] "i"(KNOWN_BYTES), [known_stacks] "i"(offsetof(struct perdure_self, known_stacks)),  \
      [place] "i"(offsetof(struct known_stack, place)), [rsp] "i"(offsetof(struct known_stack, rsp)),                                      \
      [rbp] "i"(offsetof(struct known_stack, rbp)), [above] "i"(offsetof(struct known_stack, above)),                                      \
      [clues] "i"(offsetof(struct known_stack, clues)), [clue_at] "i"(offsetof(struct known_stack, first.at)),                             \
      [clue_value] "i"(offsetof(struct known_stack, first.value)), [depends_on_rbp] "i"(offsetof(struct known_stack, depends_on_rbp)),     \
      [number] "i"(offsetof(struct known_stack, number)), [callers] "i"(offsetof(struct known_stack, callers)),                            \
      [call_site] "i"(offsetof(struct known_stack, site)), [call_followed] "i"(offsetof(struct known_stack, followed))

#endif
