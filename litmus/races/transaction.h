/* Hardware transactions with a lock to fall back on: where the processor has none, and after many failures. */
#ifndef TRANSACTION_H
#define TRANSACTION_H
#include <cpuid.h>
#include "litmus.h"

#define TRANSACTION_ATTEMPTS 10000

static int transaction_lock;
static int has_transactions; /* asked before any begins: cpuid would end it; __builtin_cpu_supports("rtm") is not known to clang 14 */

__attribute__((constructor)) static void ask_for_transactions(void) {
  unsigned a, b = 0, c, d;
  has_transactions = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_RTM);
}

__attribute__((target("rtm"))) static void transaction_begin(void) {
  for (int i = 0; i < TRANSACTION_ATTEMPTS && has_transactions; i++) {
    if (_xbegin() == _XBEGIN_STARTED) {
      if (__atomic_load_n(&transaction_lock, __ATOMIC_ACQUIRE) == 0) return;
      _xabort(1);
    }
  }
  int free = 0;
  while (!__atomic_compare_exchange_n(&transaction_lock, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) free = 0;
}

__attribute__((target("rtm"))) static void transaction_end(void) {
  if (has_transactions && _xtest()) _xend();
  else __atomic_store_n(&transaction_lock, 0, __ATOMIC_RELEASE);
}
#endif
