/* The gates that patched code calls most. The usual case, a word in the window by a thread with room in its ring and a known stack, that takes
 * no part in synchronisation, uses six registers; it is what access_gates.c does, written down by hand because compilers save all fifteen.
 * Everything else is left to the gates there, which find everything as it was. */
#include "explore.h"
#include "gate_frame.h"
#include "gates.h"
#include "quick_callers.h"

_Static_assert(PERDURE_EV_LOAD == 1 && PERDURE_EV_STORE == 2 && PERDURE_EV_FLUSH == 10 && PERDURE_EV_FENCE == 11, "kinds");
_Static_assert(TOLD_SITE == 0 && TOLD_DESCRIPTION == 1 && TOLD_FRAME == 2 && TOLD_CONSTANT == 3, "told(), with 3 + 7 * which");
_Static_assert(FRAME_RSP == 1 && FRAME_RBP == 2, "the last byte of a frame's shape");
_Static_assert(GATES_FILTER < UINT64_C(1) << 31, "an address of 32 bits");

/* What is on the stack: six registers and the flags, where the gate was called, the address, and the value that patched code leaves there. */
#define SAVE                                                                                                                               \
  "leaq -56(%%rsp), %%rsp\n movq %%rax, (%%rsp)\n lahf\n seto %%al\n movq %%rax, 48(%%rsp)\n movq %%rcx, 8(%%rsp)\n movq %%rdx, 16(%%rsp)\n" \
  "movq %%rsi, 24(%%rsp)\n movq %%rdi, 32(%%rsp)\n movq %%r11, 40(%%rsp)\n"
#define RESTORE                                                                                                                            \
  "movq 48(%%rsp), %%rax\n addb $127, %%al\n sahf\n movq (%%rsp), %%rax\n movq 8(%%rsp), %%rcx\n movq 16(%%rsp), %%rdx\n"                  \
  "movq 24(%%rsp), %%rsi\n movq 32(%%rsp), %%rdi\n movq 40(%%rsp), %%r11\n leaq 56(%%rsp), %%rsp\n"
#define FIND_TOLD "movq 56(%%rsp), %%rsi\n"
#define FIND_ADDRESS "movq 64(%%rsp), %%rdi\n"
#define UNLESS_USUAL                                                                                                                       \
  "cmpl $0, %%fs:%c[quiet](%%r11)\n jne 3f\n movq perdure_schedule(%%rip), %%rax\n cmpl $0, (%%rax)\n jne 3f\n"
/* A load that is trusted is no event, if nothing can be synchronised by it. */
#define UNLESS_TRUSTED "cmpl $0, %%fs:%c[trusts_loads](%%r11)\n jne 32f\n"
#define TRUSTED "32: movq %%rdi, %%rax\n shrq $3, %%rax\n movzwl %%ax, %%eax\n cmpb $0, %c[filter](%%rax)\n je 5b\n jmp 3b\n"
#define UNLESS_UNTOUCHED "movq %%rdi, %%rax\n shrq $3, %%rax\n movzwl %%ax, %%eax\n cmpb $0, %c[filter](%%rax)\n jne 3f\n"
/* rsp of the patched code lies so far from ours. Then rax: the known stack, rcx and rdx are used. */
#define FIND_STACK(distance)                                                                                                               \
  "movl 17(%%rsi), %%eax\n movzwl %%ax, %%edx\n shrl $24, %%eax\n cmpl $1, %%eax\n jne 21f\n"                                              \
  "testl %%edx, %%edx\n jz 3f\n leaq " #distance "(%%rsp,%%rdx,8), %%rdx\n jmp 22f\n"                                                      \
  "21: cmpl $2, %%eax\n jne 3f\n leaq (%%rbp,%%rdx,8), %%rdx\n leaq " #distance "(%%rsp), %%rcx\n movq %%rdx, %%rax\n subq %%rcx, %%rax\n" \
  "decq %%rax\n cmpq %[largest_frame], %%rax\n jae 3f\n testb $7, %%dl\n jnz 3f\n"                                                         \
  "22: movq -8(%%rdx), %%rcx\n" FIND_LAST_KNOWN_STACK(                                                                                          \
      "movzbl 19(%%rsi), %%ecx\n testl %%ecx, %%ecx\n jz 23f\n negq %%rcx\n movq (%%rdx,%%rcx,8), %%rcx\n jmp 24f\n"                       \
      "23: movq %%rbp, %%rcx\n 24: cmpq %%rcx, 16(%%rax)\n jne 3f\n",                                                                 \
      "3f")
/* Into rax: stack and site; into edx: the size. */
#define DESCRIBE "movl 40(%%rax), %%eax\n shlq $32, %%rax\n movl 3(%%rsi), %%ecx\n orq %%rcx, %%rax\n movzwl 10(%%rsi), %%edx\n"
/* Cuts rsi to the size in edx, by way of ecx. */
#define CUT "leal (,%%rdx,8), %%ecx\n negl %%ecx\n shlq %%cl, %%rsi\n shrq %%cl, %%rsi\n"
#define LOADED_VALUE                                                                                                                       \
  "cmpb $0xff, 12(%%rsi)\n je 41f\n movq 80(%%rsp), %%rsi\n" CUT "jmp 49f\n"                                                               \
  "41: cmpl $8, %%edx\n jne 42f\n movq (%%rdi), %%rsi\n jmp 49f\n 42: cmpl $4, %%edx\n jne 43f\n movl (%%rdi), %%esi\n jmp 49f\n"          \
  "43: cmpl $1, %%edx\n jne 44f\n movzbl (%%rdi), %%esi\n jmp 49f\n 44: movzwl (%%rdi), %%esi\n 49:"
#define STORED_VALUE                                                                                                                       \
  "cmpb $0xfe, 12(%%rsi)\n jne 41f\n movslq 24(%%rsi), %%rsi\n jmp 42f\n 41: movq 80(%%rsp), %%rsi\n 42:" CUT
/* The value of the stack pointer, or what it points to, is not left for the gate; other stores have more to note. */
#define UNLESS_PLAIN_STORE "cmpb $0, 13(%%rsi)\n jne 3f\n cmpb $4, 12(%%rsi)\n je 3f\n cmpb $0xfd, 12(%%rsi)\n je 3f\n"
#define UNLESS_WORD "movzwl 10(%%rsi), %%ecx\n leal -1(%%rcx), %%edx\n cmpl $8, %%edx\n jae 3f\n testl %%edx, %%ecx\n jnz 3f\n"
#define UNLESS_SETTLED "cmpl %[most], %%fs:%c[unsettled](%%r11)\n jae 3f\n"
/* rdi: address, rsi: value, edx: info, rax: stack and site. */
#define RECORD_AND_RETURN(kind, stamped, otherwise)                                                                                        \
  "shll $8, %%edx\n orl $" #kind ", %%edx\n shlq $48, %%rdx\n orq %%rdx, %%rdi\n" CLAIM_POSITION UNLESS_BEYOND_LIMIT FIND_SLOT("%%rdi")    \
  "movq %%rax, 16(%%rcx)\n movq %%rsi, 24(%%rcx)\n" stamped "movq %%rax, (%%rcx)\n movq %%rdi, 8(%%rcx)\n"                                 \
  "5: " RESTORE "ret\n"                                                                                                                    \
  "4: pushq %%rbx\n pushq %%r8\n pushq %%r9\n pushq %%r10\n movq %%rsp, %%rbx\n andq $-16, %%rsp\n"                                        \
  "movq %%rsi, %%rdx\n movq %%rdi, %%rsi\n movq %%rcx, %%rdi\n movq %%rax, %%rcx\n call perdure_quick_claimed\n"                           \
  "movq %%rbx, %%rsp\n popq %%r10\n popq %%r9\n popq %%r8\n popq %%rbx\n jmp 5b\n"                                                         \
  "3: " RESTORE "jmp " otherwise "\n"
#define NUMBERS                                                                                                                            \
  QUICK_NUMBERS, CALLER_NUMBERS, [window_shift] "i"(QUICK_WINDOW_SHIFT), [quiet] "i"(offsetof(struct perdure_self, quiet)),                \
      [trusts_loads] "i"(offsetof(struct perdure_self, trusts_loads)),                                                                     \
      [filter] "i"(GATES_FILTER), [largest_frame] "i"(LARGEST_FRAME)

/* Four words and the red zone lie between an access of the patched code and what a gate finds; the red zone alone, at a fence. */
#define ACCESS_STACK FIND_STACK(224)
#define FENCE_STACK FIND_STACK(192)
#define BEGIN SAVE FIND_SELF UNLESS_USUAL FIND_TOLD
#define BEGIN_ACCESS BEGIN FIND_ADDRESS UNLESS_IN_WINDOW
#define BEGIN_LOAD SAVE FIND_SELF FIND_ADDRESS UNLESS_TRUSTED UNLESS_USUAL FIND_TOLD UNLESS_IN_WINDOW UNLESS_SAMPLING
#define END_LOAD(stamped, otherwise) UNLESS_UNTOUCHED ACCESS_STACK DESCRIBE LOADED_VALUE RECORD_AND_RETURN(1, stamped, otherwise) TRUSTED

HIDDEN NAKED void quick_gate_load(void) { __asm__ volatile(BEGIN_LOAD UNLESS_WORD END_LOAD(STAMPED_AFTER, "gate_load") : : NUMBERS); }
HIDDEN NAKED void quick_gate_load_now(void) { __asm__ volatile(BEGIN_LOAD UNLESS_WORD END_LOAD(STAMPED_AFTER, "gate_load_now") : : NUMBERS); }
HIDDEN NAKED void quick_gate_load_followed(void) {
  __asm__ volatile(BEGIN_LOAD UNLESS_SETTLED END_LOAD(UNTIMED, "gate_load_followed") : : NUMBERS);
}

#define STORE(stamped)                                                                                                                     \
  BEGIN_ACCESS UNLESS_PLAIN_STORE UNLESS_UNTOUCHED ACCESS_STACK DESCRIBE STORED_VALUE RECORD_AND_RETURN(2, stamped, "gate_store")
HIDDEN NAKED void quick_gate_store(void) { __asm__ volatile(STORE(STAMPED_BEFORE) : : NUMBERS); }
HIDDEN NAKED void quick_gate_store_preceded(void) { __asm__ volatile(STORE(STAMPED_WITH_LAST) : : NUMBERS); }

#define FLUSH(stamped)                                                                                                                     \
  BEGIN_ACCESS "cmpq $0, perdure_exploration(%%rip)\n jne 3f\n" ACCESS_STACK DESCRIBE "movzbl 13(%%rsi), %%edx\n movl $1, %%esi\n"         \
      SET_UNFENCED RECORD_AND_RETURN(10, stamped, "gate_flush")
HIDDEN NAKED void quick_gate_flush(void) { __asm__ volatile(FLUSH(STAMPED_BEFORE) : : NUMBERS); }
HIDDEN NAKED void quick_gate_flush_preceded(void) { __asm__ volatile(FLUSH(STAMPED_WITH_LAST) : : NUMBERS); }

HIDDEN NAKED void quick_gate_fence(void) {
  __asm__ volatile(BEGIN "cmpl $0, perdure_recording(%%rip)\n je 3f\n" FENCE_STACK DESCRIBE
                   "movzbl 13(%%rsi), %%edx\n xorl %%esi, %%esi\n xorl %%edi, %%edi\n" CLEAR_UNFENCED RECORD_AND_RETURN(11, STAMPED_BEFORE,
                                                                                                                        "gate_fence")
                   :
                   : NUMBERS);
}
