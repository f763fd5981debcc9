/* The hooks that compiled code calls most, for callers that keep their values in registers. The usual case, an event in the window by a
 * thread with room in its ring and an interned call stack, takes four registers and one line of memory; it is the same as `record`,
 * written down by hand because compilers save three times as many registers. Everything else is left to the ordinary hooks. */
#include "pm.h"
#include "quick.h"

/* The instructions know where the parameters are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

_Static_assert(PERDURE_WINDOW_END - PERDURE_WINDOW_BASE == UINT64_C(1) << QUICK_WINDOW_SHIFT, "the window is one block of that size");
_Static_assert(PERDURE_WINDOW_BASE % (UINT64_C(1) << QUICK_WINDOW_SHIFT) == 0, "which is aligned");
HIDDEN uint32_t perdure_quick_window = PERDURE_WINDOW_BASE >> QUICK_WINDOW_SHIFT;

void quick_hooks_look_closer(void) { __atomic_store_n(&perdure_quick_window, UINT32_MAX, __ATOMIC_RELEASE); }

HIDDEN void perdure_load_slowly(const void *addr, uint64_t value, uint32_t info, uint32_t site) { __perdure_load(addr, value, info, site); }
HIDDEN void perdure_store_slowly(void *addr, uint64_t value, uint32_t info, uint32_t site) { __perdure_store(addr, value, info, site); }
HIDDEN void perdure_region_slowly(const void *addr, uint64_t length, uint32_t region, uint32_t site) {
  __perdure_region_start(addr, length, region, site);
}
HIDDEN void perdure_flush_slowly(const void *addr, uint64_t length, uint32_t flush, uint32_t site) {
  (void)length;
  __perdure_flush(addr, flush, site);
}
HIDDEN void perdure_fence_slowly(const void *addr, uint64_t value, uint32_t fence, uint32_t site) {
  (void)addr;
  (void)value;
  __perdure_fence(fence, site);
}

HIDDEN void perdure_quick_claimed(uint64_t position, uint64_t where, uint64_t value, uint64_t place) {
  uint32_t kind = (uint32_t)(where >> PERDURE_KIND_SHIFT) & PERDURE_KIND_MASK;
  record_slowly(kind == PERDURE_EV_LOAD || kind == PERDURE_EV_REGION_START ? STAMP_AFTER : STAMP_BEFORE, position, kind, (uint32_t)(where >> PERDURE_INFO_SHIFT),
                where & ((UINT64_C(1) << PERDURE_ADDR_BITS) - 1), value, (uint32_t)place, (uint32_t)(place >> 32));
}

#define BEGIN                                                                                                                              \
  "pushq %%rax\n pushq %%rcx\n pushq %%rdx\n pushq %%rdi\n .cfi_adjust_cfa_offset 32\n" FIND_SELF
#define UNLESS_BEYOND_LIMIT_OR_UNSETTLED UNLESS_BEYOND_LIMIT "cmpl %[most], %%fs:%c[unsettled](%%r11)\n jae 4f\n"
/* rdi: address, rsi: value, edx: info, ecx: site. Then rax: stack and site, rdi: where, rcx: first the position, then the slot. */
#define RECORD(kind, unless_beyond, stamped, slowly)                                                                                       \
  "movq perdure_schedule(%%rip), %%rax\n cmpl $0, (%%rax)\n jne 3f\n"                                                                      \
  "movq %%fs:%c[sp](%%r11), %%rax\n cmpl $0, -4(%%rax)\n jne 1f\n"                                                                         \
  "cmpq %%fs:%c[base](%%r11), %%rax\n jne 3f\n"                                                                                            \
  "1: movl -4(%%rax), %%eax\n shlq $32, %%rax\n movl %%ecx, %%ecx\n orq %%rcx, %%rax\n"                                                    \
  "shll $8, %%edx\n orl $" #kind ", %%edx\n shlq $48, %%rdx\n orq %%rdx, %%rdi\n"                                                          \
  CLAIM_POSITION unless_beyond FIND_SLOT("%%rdi")                                                                                          \
  "movq %%rax, 16(%%rcx)\n movq %%rsi, 24(%%rcx)\n" stamped                                                                               \
  "movq %%rax, (%%rcx)\n movq %%rdi, 8(%%rcx)\n"                                                                                           \
  "popq %%rdi\n popq %%rdx\n popq %%rcx\n popq %%rax\n .cfi_adjust_cfa_offset -32\n ret\n"                                                 \
  ".cfi_adjust_cfa_offset 32\n"                                                                                                            \
  "4: " SAVE_MORE "movq %%rsi, %%rdx\n movq %%rdi, %%rsi\n movq %%rcx, %%rdi\n movq %%rax, %%rcx\n call perdure_quick_claimed\n jmp 5f\n"  \
  ".cfi_adjust_cfa_offset -40\n"                                                                                                           \
  "3: " SAVE_MORE "call " slowly "\n"                                                                                                      \
  "5: addq $8, %%rsp\n popq %%r10\n popq %%r9\n popq %%r8\n popq %%rsi\n"                                                                  \
  "popq %%rdi\n popq %%rdx\n popq %%rcx\n popq %%rax\n .cfi_adjust_cfa_offset -72\n ret\n"
#define SAVE_MORE "pushq %%rsi\n pushq %%r8\n pushq %%r9\n pushq %%r10\n subq $8, %%rsp\n .cfi_adjust_cfa_offset 40\n"
#define NUMBERS QUICK_NUMBERS, [window_shift] "i"(QUICK_WINDOW_SHIFT)

_Static_assert(PERDURE_EV_LOAD == 1 && PERDURE_EV_STORE == 2 && PERDURE_EV_FLUSH == 10 && PERDURE_EV_FENCE == 11 &&
                   PERDURE_EV_REGION_START == 84,
               "kinds");

EXPORT NAKED void __perdure_quick_load(const void *addr, uint64_t value, uint32_t info, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW UNLESS_SAMPLING RECORD(1, UNLESS_BEYOND_LIMIT, STAMPED_AFTER, "perdure_load_slowly") : : NUMBERS);
}

EXPORT NAKED void __perdure_quick_load_followed(const void *addr, uint64_t value, uint32_t info, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW UNLESS_SAMPLING RECORD(1, UNLESS_BEYOND_LIMIT_OR_UNSETTLED, UNTIMED, "perdure_load_slowly")
                   :
                   : NUMBERS);
}

EXPORT NAKED void __perdure_quick_store(void *addr, uint64_t value, uint32_t info, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW RECORD(2, UNLESS_BEYOND_LIMIT, STAMPED_BEFORE, "perdure_store_slowly") : : NUMBERS);
}

EXPORT NAKED void __perdure_quick_store_preceded(void *addr, uint64_t value, uint32_t info, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW RECORD(2, UNLESS_BEYOND_LIMIT, STAMPED_WITH_LAST, "perdure_store_slowly") : : NUMBERS);
}

EXPORT NAKED void __perdure_quick_region_start(const void *addr, uint64_t length, uint32_t region, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW UNLESS_SAMPLING "cmpq %[longest], %%rsi\n ja 3f\n" RECORD(84, UNLESS_BEYOND_LIMIT, STAMPED_AFTER,
                                                                                                  "perdure_region_slowly")
                   :
                   : NUMBERS, [longest] "i"(PERDURE_BLOCK_MAX));
}

EXPORT NAKED void __perdure_quick_flush(const void *addr, uint64_t length, uint32_t flush, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW SET_UNFENCED RECORD(10, UNLESS_BEYOND_LIMIT, STAMPED_BEFORE, "perdure_flush_slowly") : : NUMBERS);
}

EXPORT NAKED void __perdure_quick_flush_preceded(const void *addr, uint64_t length, uint32_t flush, uint32_t site) {
  __asm__ volatile(BEGIN UNLESS_IN_WINDOW SET_UNFENCED RECORD(10, UNLESS_BEYOND_LIMIT, STAMPED_WITH_LAST, "perdure_flush_slowly")
                   :
                   : NUMBERS);
}

EXPORT NAKED void __perdure_quick_fence(const void *none, uint64_t zero, uint32_t fence, uint32_t site) {
  __asm__ volatile(BEGIN "cmpl $0, perdure_recording(%%rip)\n je 3f\n cmpl %[last], %%edx\n ja 3f\n" CLEAR_UNFENCED RECORD(
                       11, UNLESS_BEYOND_LIMIT, STAMPED_BEFORE, "perdure_fence_slowly")
                   :
                   : NUMBERS, [last] "i"(PERDURE_FENCE_LIBRARY_DRAIN));
}
