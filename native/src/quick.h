/* What the functions share that are written down by hand: the usual case of `record`, in few registers. r11 is the thread's state. */
#ifndef PERDURE_QUICK_H
#define PERDURE_QUICK_H
#include "ring.h"

#define NAKED __attribute__((naked))
#define HIDDEN __attribute__((visibility("hidden"), used))

_Static_assert(sizeof(struct perdure_slot) == 32 && offsetof(struct perdure_slot, time) == 0 && offsetof(struct perdure_slot, where) == 8 &&
                   offsetof(struct perdure_slot, site) == 16 && offsetof(struct perdure_slot, stack) == 20 &&
                   offsetof(struct perdure_slot, value) == 24,
               "slot");
_Static_assert(PERDURE_KIND_SHIFT == 48 && PERDURE_INFO_SHIFT == 56 && PERDURE_LAP_SHIFT == 55, "where");
_Static_assert(PERDURE_UNTIMED == 0 && PERDURE_TIME_OF_LAST == (uint64_t)-1 && (PERDURE_STAMP_ONE_OF & (PERDURE_STAMP_ONE_OF - 1)) == 0,
               "times, and the bits tested");

/* The upper bits of addresses that are PM for certain: those of the window, until something else is mapped over a part of it. */
#define QUICK_WINDOW_SHIFT 44
extern uint32_t perdure_quick_window __attribute__((visibility("hidden")));
/* rdi: the address; by way of rax. */
#define UNLESS_IN_WINDOW "movq %%rdi, %%rax\n shrq %[window_shift], %%rax\n cmpl perdure_quick_window(%%rip), %%eax\n jne 3f\n"
#define UNLESS_SAMPLING "cmpq $1, perdure_sample(%%rip)\n ja 3f\n"
#define SET_UNFENCED "movl $1, %%fs:%c[unfenced](%%r11)\n"
#define CLEAR_UNFENCED "movl $0, %%fs:%c[unfenced](%%r11)\n"
#define FIND_SELF "movq perdure_self@gottpoff(%%rip), %%r11\n"
/* Into rcx, by way of rdx. */
#define CLAIM_POSITION "movq %%fs:%c[ring](%%r11), %%rdx\n movl $1, %%ecx\n xaddq %%rcx, (%%rdx)\n"
#define UNLESS_BEYOND_LIMIT "cmpq %%fs:%c[limit](%%r11), %%rcx\n jae 4f\n"
/* rcx: the position, then the slot; where: the register of the second word, which gets its lap bit. */
#define FIND_SLOT(where)                                                                                                                   \
  "movq %%fs:%c[mask](%%r11), %%rdx\n incq %%rdx\n testq %%rcx, %%rdx\n jnz 2f\n btsq $55, " where "\n"                                    \
  "2: decq %%rdx\n andq %%rdx, %%rcx\n shlq $5, %%rcx\n addq %%fs:%c[slots](%%r11), %%rcx\n"
/* Into rax, by way of rdx. */
#define READ_CLOCK "rdtsc\n shlq $32, %%rdx\n orq %%rdx, %%rax\n"
#define STAMPED_BEFORE                                                                                                                     \
  "cmpl $0, %%fs:%c[unsettled](%%r11)\n je 6f\n lfence\n movl $0, %%fs:%c[unsettled](%%r11)\n 6: " READ_CLOCK
#define STAMPED_WITH_LAST                                                                                                                  \
  "movq $-1, %%rax\n cmpl $0, %%fs:%c[unsettled](%%r11)\n jne 7f\n"                                                                       \
  "incl %%fs:%c[shared_times](%%r11)\n testl %[one_of], %%fs:%c[shared_times](%%r11)\n jnz 8f\n"                                          \
  "7: " STAMPED_BEFORE "8:"
#define STAMPED_AFTER "movl $0, %%fs:%c[unsettled](%%r11)\n lfence\n" READ_CLOCK
#define UNTIMED "incl %%fs:%c[unsettled](%%r11)\n xorl %%eax, %%eax\n"
/* A position that was claimed and is beyond the limit; where: the second word of the slot, without its lap bit; place: stack and site. */
void perdure_quick_claimed(uint64_t position, uint64_t where, uint64_t value, uint64_t place) __attribute__((visibility("hidden")));
#define QUICK_NUMBERS                                                                                                                      \
  [sp] "i"(offsetof(struct perdure_self, sp)), [base] "i"(offsetof(struct perdure_self, base)),                                            \
      [ring] "i"(offsetof(struct perdure_self, ring)), [slots] "i"(offsetof(struct perdure_self, slots)),                                  \
      [mask] "i"(offsetof(struct perdure_self, mask)), [limit] "i"(offsetof(struct perdure_self, limit)),                                  \
      [unsettled] "i"(offsetof(struct perdure_self, unsettled)), [most] "i"(PERDURE_MOST_UNSETTLED),                                       \
      [unfenced] "i"(offsetof(struct perdure_self, unfenced)), [shared_times] "i"(offsetof(struct perdure_self, shared_times)),            \
      [one_of] "i"(PERDURE_STAMP_ONE_OF - 1)

#endif
