#include "failures.h"
#include "explore.h"
#include "real.h"
#include "stacks.h"
#include "system.h"
#include <signal.h>

static const int FATAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

REAL(sigaction);

/* The program ends as it would have: an instruction that fails does so again, and what was sent is sent again. */
static void note(int number, siginfo_t *info, void *context) {
  (void)context;
  uint32_t nothing = 0;
  uint32_t stack = stack_number(&perdure_self);
  __atomic_compare_exchange_n(&perdure_exploration->failed, &nothing, stack, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  struct sigaction usual = {.sa_handler = SIG_DFL};
  CALL(sigaction)(number, &usual, NULL);
  if (info->si_code <= 0) {
    SYSTEM(SYS_tgkill, SYSTEM(SYS_getpid, 0, 0, 0), SYSTEM(SYS_gettid, 0, 0, 0), number);
  }
}

void failures_watch(void) {
  struct sigaction ours = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_ONSTACK}, before;
  for (unsigned i = 0; i < sizeof FATAL / sizeof FATAL[0]; i++) {
    if (sigaction(FATAL[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL) {
      sigaction(FATAL[i], &ours, NULL);
    }
  }
}
