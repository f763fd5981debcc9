/* A mutex that observed code locks and unlocks. The usual case, by a thread with room in its ring and a known call stack, is written
 * down by hand, because of the stores that compilers spend on saving registers: what a processor has stored behind a flush and fence waits for
 * them, it has room for a few dozen such stores, and when that is full it does not come as far as the line of the next mutex. Everything else is
 * left to the ordinary functions. */
#include "explore.h"
#include "locks.h"
#include "quick_callers.h"
#include "real.h"
#include <pthread.h>

/* The instructions know where the parameters are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

REAL(pthread_mutex_lock);
REAL(pthread_mutex_unlock);

_Static_assert(offsetof(struct perdure_self, quiet) == offsetof(struct perdure_self, library) + 4, "they are tested as one word");
_Static_assert(PERDURE_EV_ACQUIRE == 16 && PERDURE_EV_RELEASE == 17 && PERDURE_CALL_FOLLOWED == 0x80000000u, "as below");

/* The claimed position is beyond the limit; place: stack and site. */
HIDDEN int perdure_quick_acquired(pthread_mutex_t *mutex, uint64_t position, uint64_t place) {
  record_slowly(STAMP_AFTER, position, PERDURE_EV_ACQUIRE, 0, (uint64_t)mutex, 0, (uint32_t)place, (uint32_t)(place >> 32));
  return 0;
}
HIDDEN int perdure_quick_releasing(pthread_mutex_t *mutex, uint64_t position, uint64_t place) {
  record_slowly(STAMP_BEFORE, position, PERDURE_EV_RELEASE, 0, (uint64_t)mutex, 0, (uint32_t)place, (uint32_t)(place >> 32));
  return CALL(pthread_mutex_unlock)(mutex);
}

#define UNLESS_WANTED "cmpl $0, perdure_recording(%%rip)\n je 3f\n cmpq $0, %%fs:%c[library](%%r11)\n jne 3f\n"
/* Then rdx: the top of the shadow stack. */
#define UNLESS_INSTRUMENTED(otherwise) "movq %%fs:%c[sp](%%r11), %%rdx\n cmpq %%fs:%c[base](%%r11), %%rdx\n jbe " otherwise "\n"
#define UNLESS_KNOWN(name) "movq real_" name "+%c[address](%%rip), %%r10\n testq %%r10, %%r10\n jz 3f\n"
/* Of patched code; rax: stack and site of the call. */
#define FIND_PLAIN_CALL                                                                                                                    \
  "cmpb $0, callers_wanted(%%rip)\n je 3f\n movq (%%rsp), %%rcx\n leaq 8(%%rsp), %%rdx\n" FIND_KNOWN_STACK(                                 \
      "cmpq %%rbp, 16(%%rax)\n jne 3f\n", "", "3f")
#define PLAIN_CALL "movl 48(%%rax), %%ecx\n movl 52(%%rax), %%eax\n shlq $32, %%rcx\n orq %%rcx, %%rax\n"
/* rdx: the top of the shadow stack. Then rax: stack and site of the call. */
#define INSTRUMENTED_CALL(otherwise)                                                                                                       \
  "movl -12(%%rdx), %%eax\n movl -8(%%rdx), %%esi\n testl %%eax, %%eax\n jnz 1f\n"                                                         \
  "subq $8, %%rdx\n cmpq %%fs:%c[base](%%r11), %%rdx\n jne " otherwise "\n"                                                                \
  "1: shlq $32, %%rax\n orq %%rsi, %%rax\n"
/* Inner levels of a recursive mutex are something else. */
#define UNLESS_USUAL(otherwise)                                                                                                            \
  "movq perdure_schedule(%%rip), %%rcx\n cmpl $0, (%%rcx)\n jne " otherwise "\n cmpl $1, %c[count](%%rdi)\n ja " otherwise "\n"            \
  "cmpl $0, %%fs:%c[unfenced](%%r11)\n jne " otherwise "\n"
/* rdi: the lock, rax: stack and site, rcx: the position. Then rsi: the second word, rcx: the slot, its second half written. */
#define BEGIN_SLOT(kind)                                                                                                                   \
  "movabsq $" #kind " << 48, %%rsi\n orq %%rdi, %%rsi\n" FIND_SLOT("%%rsi") "movq %%rax, 16(%%rcx)\n movq $0, 24(%%rcx)\n"
#define END_SLOT "movq %%rax, (%%rcx)\n movq %%rsi, 8(%%rcx)\n"
#define LOCK_NUMBERS                                                                                                                       \
  QUICK_NUMBERS, CALLER_NUMBERS, [library] "i"(offsetof(struct perdure_self, library)), [count] "i"(offsetof(pthread_mutex_t, __data.__count)),                \
      [address] "i"(offsetof(struct real_function, address))

EXPORT NAKED int pthread_mutex_lock(pthread_mutex_t *mutex) {
  __asm__ volatile(FIND_SELF UNLESS_WANTED "cmpq $0, perdure_exploration(%%rip)\n jne 3f\n" UNLESS_KNOWN("pthread_mutex_lock")
                   UNLESS_INSTRUMENTED("50f")
                   "pushq %%rdi\n .cfi_adjust_cfa_offset 8\n call *%%r10\n popq %%rdi\n .cfi_adjust_cfa_offset -8\n"
                   "movl %%eax, %%r10d\n testl %%eax, %%eax\n jnz 5f\n" FIND_SELF "movq %%fs:%c[sp](%%r11), %%rdx\n"
                   INSTRUMENTED_CALL("5f") UNLESS_USUAL("5f") "btrq $31, %%rax\n jnc 5f\n"
                   "51: cmpl %[most], %%fs:%c[unsettled](%%r11)\n jae 5f\n" CLAIM_POSITION UNLESS_BEYOND_LIMIT BEGIN_SLOT(16) UNTIMED END_SLOT
                   "ret\n"
                   "50: " FIND_PLAIN_CALL "cmpb $0, 59(%%rax)\n je 3f\n" PLAIN_CALL
                   "pushq %%rdi\n pushq %%rax\n subq $8, %%rsp\n .cfi_adjust_cfa_offset 24\n call *%%r10\n"
                   "addq $8, %%rsp\n movl %%eax, %%r10d\n popq %%rax\n popq %%rdi\n .cfi_adjust_cfa_offset -24\n"
                   "testl %%r10d, %%r10d\n jnz 5f\n" FIND_SELF UNLESS_USUAL("5f") "jmp 51b\n"
                   "3: jmp perdure_mutex_lock\n"
                   "5: movl %%r10d, %%esi\n jmp perdure_mutex_locked\n"
                   "4: movq %%rcx, %%rsi\n movq %%rax, %%rdx\n jmp perdure_quick_acquired\n"
                   :
                   : LOCK_NUMBERS);
}

EXPORT NAKED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  __asm__ volatile(FIND_SELF UNLESS_WANTED UNLESS_KNOWN("pthread_mutex_unlock") UNLESS_INSTRUMENTED("50f") INSTRUMENTED_CALL("3f")
                   "btrq $31, %%rax\n"
                   "51: " UNLESS_USUAL("3f") CLAIM_POSITION UNLESS_BEYOND_LIMIT BEGIN_SLOT(17) STAMPED_WITH_LAST END_SLOT "jmp *%%r10\n"
                   "50: " FIND_PLAIN_CALL PLAIN_CALL "jmp 51b\n"
                   "3: jmp perdure_mutex_unlock\n"
                   "4: movq %%rcx, %%rsi\n movq %%rax, %%rdx\n jmp perdure_quick_releasing\n"
                   :
                   : LOCK_NUMBERS);
}
