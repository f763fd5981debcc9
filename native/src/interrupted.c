/* The frame that the kernel makes for a handler begins with the address at which the handler returns, which is given with the handler;
 * behind it stands the interrupted context. So a frame is found by that word on the stack. */
#include "interrupted.h"
#include "runtime.h"
#include "system.h"
#include <signal.h>

#define SIGNALS 64
#define MOST_RETURNS 8
#define HAS_RETURN 0x04000000u /* SA_RESTORER */
#define LARGEST_STACK (UINT64_C(8) << 20)
#define DEEPEST 16

struct kernel_action {
  uint64_t handler, flags, returns_to, mask;
};

static uint32_t handler_returns(uint64_t to[MOST_RETURNS]) {
  uint32_t count = 0;
  for (int number = 1; number <= SIGNALS; number++) {
    struct kernel_action action;
    if (SYSTEM6(SYS_rt_sigaction, number, 0, &action, sizeof action.mask, 0, 0) != 0 || action.handler <= (uint64_t)SIG_IGN ||
        (action.flags & HAS_RETURN) == 0) {
      continue;
    }
    uint32_t i = 0;
    while (i < count && to[i] != action.returns_to) {
      i++;
    }
    if (i == count && count < MOST_RETURNS) {
      to[count++] = action.returns_to;
    }
  }
  return count;
}

extern void *__libc_stack_end;

/* The end of the stack that holds the address: the first thread's, the one for signals, or one that the program made. For that it is
 * only known that it is not larger than the part of it that can be read. */
static uint64_t end_of_stack(uint64_t at) {
  uint64_t first = (uint64_t)__libc_stack_end;
  stack_t other;
  if (at < first && first - at < LARGEST_STACK) {
    return first;
  }
  if (SYSTEM(SYS_sigaltstack, 0, &other, 0) == 0 && (other.ss_flags & SS_DISABLE) == 0 && at - (uint64_t)other.ss_sp < other.ss_size) {
    return (uint64_t)other.ss_sp + other.ss_size;
  }
  uint64_t page = (at & ~UINT64_C(4095)) + 4096;
  unsigned char resident;
  while (page - at < LARGEST_STACK && SYSTEM(SYS_mincore, page, 4096, &resident) == 0) {
    page += 4096;
  }
  return page;
}

static ucontext_t *frame_from(uint64_t at, const uint64_t *returns, uint32_t count) {
  uint64_t end = end_of_stack(at);
  for (at = (at + 7) & ~UINT64_C(7); at + 8 + sizeof(ucontext_t) <= end; at += 8) {
    for (uint32_t i = 0; i < count; i++) {
      if (*(const uint64_t *)at == returns[i]) {
        return (ucontext_t *)(at + 8);
      }
    }
  }
  return NULL;
}

COLD void interrupted_each(void (*visit)(ucontext_t *context)) {
  uint64_t returns[MOST_RETURNS], at = (uint64_t)__builtin_frame_address(0);
  uint32_t count = handler_returns(returns);
  for (int depth = 0; count > 0 && depth < DEEPEST; depth++) {
    ucontext_t *context = frame_from(at, returns, count);
    if (context == NULL) {
      return;
    }
    visit(context);
    at = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
  }
}
