#include "signals.h"
#include "real.h"
#include <stddef.h>

static struct own_signal {
  int number;
  bool open, taken;
  struct sigaction of_program;
} own[] = {{.number = SIGSEGV}, {.number = SIGTRAP}};
#define OWN (sizeof own / sizeof own[0])

REAL(sigaction);
REAL(signal);
REAL(sigprocmask);
REAL(pthread_sigmask);
REAL(sigsuspend);

static struct own_signal *own_of(int number) {
  for (size_t i = 0; i < OWN; i++) {
    if (own[i].number == number) {
      return &own[i];
    }
  }
  return NULL;
}

void signals_keep_open(int number) {
  struct own_signal *mine = own_of(number);
  sigset_t set;
  if (!mine->open) {
    mine->open = true;
    sigemptyset(&set);
    sigaddset(&set, number);
    CALL(pthread_sigmask)(SIG_UNBLOCK, &set, NULL);
  }
}

void signals_take(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct own_signal *mine = own_of(number);
  if (!mine->taken) {
    struct sigaction ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    signals_keep_open(number);
    CALL(sigaction)(number, &ours, &mine->of_program);
    mine->taken = true;
  }
}

bool signals_pass_on(int number, siginfo_t *info, void *context) {
  struct own_signal *mine = own_of(number);
  const struct sigaction *action = &mine->of_program;
  if ((action->sa_flags & SA_SIGINFO) != 0) {
    action->sa_sigaction(number, info, context);
    return true;
  }
  if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
    action->sa_handler(number);
    return true;
  }
  mine->taken = false;
  CALL(sigaction)(number, action, NULL);
  return false;
}

/* The set without our signals, where there are any. */
static const sigset_t *allowed(const sigset_t *set, sigset_t *room) {
  if (set == NULL) {
    return NULL;
  }
  *room = *set;
  for (size_t i = 0; i < OWN; i++) {
    if (own[i].open) {
      sigdelset(room, own[i].number);
    }
  }
  return room;
}

/* A handler that blocks everything while it runs must not block ours either. */
EXPORT int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict before) {
  struct own_signal *mine = own_of(number);
  if (mine == NULL || !mine->taken) {
    struct sigaction changed;
    if (action != NULL) {
      changed = *action;
      allowed(&action->sa_mask, &changed.sa_mask);
      action = &changed;
    }
    return CALL(sigaction)(number, action, before);
  }
  struct sigaction old = mine->of_program;
  if (action != NULL) {
    mine->of_program = *action;
  }
  if (before != NULL) {
    *before = old;
  }
  return 0;
}

EXPORT __sighandler_t signal(int number, __sighandler_t handler) {
  struct own_signal *mine = own_of(number);
  if (mine == NULL || !mine->taken) {
    return CALL(signal)(number, handler);
  }
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
  sigaction(number, &action, &old);
  return old.sa_handler;
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
  sigset_t room;
  return CALL(sigprocmask)(how, how == SIG_UNBLOCK ? set : allowed(set, &room), before);
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
  sigset_t room;
  return CALL(pthread_sigmask)(how, how == SIG_UNBLOCK ? set : allowed(set, &room), before);
}

EXPORT int sigsuspend(const sigset_t *set) {
  sigset_t room;
  return CALL(sigsuspend)(allowed(set, &room));
}
