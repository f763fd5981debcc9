/* Hardware transactions with a lock to fall back on: where the processor has none, and after many failures. */
#ifndef TRANSACTION_H
#define TRANSACTION_H
#include "litmus.h"

#define TRANSACTION_ATTEMPTS 10000

static int transaction_lock;

__attribute__((target("rtm"))) static void transaction_begin(void) {
  for (int i = 0; i < TRANSACTION_ATTEMPTS && __builtin_cpu_supports("rtm"); i++) {
    if (_xbegin() == _XBEGIN_STARTED) {
      if (__atomic_load_n(&transaction_lock, __ATOMIC_ACQUIRE) == 0) return;
      _xabort(1);
    }
  }
  int free = 0;
  while (!__atomic_compare_exchange_n(&transaction_lock, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) free = 0;
}

__attribute__((target("rtm"))) static void transaction_end(void) {
  if (__builtin_cpu_supports("rtm") && _xtest()) _xend();
  else __atomic_store_n(&transaction_lock, 0, __ATOMIC_RELEASE);
}
#endif
