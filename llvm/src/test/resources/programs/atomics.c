#include <stdatomic.h>
#include <stdint.h>

extern char *test_pm;
static _Atomic uint32_t ordinary;

__attribute__((noinline, used)) static void words(_Atomic uint64_t *w) {
  atomic_store_explicit(w, 1, memory_order_release); // release
  (void)atomic_load_explicit(w, memory_order_acquire); // acquire
  atomic_fetch_add(w, 4); // add
  atomic_exchange(w, 7); // exchange
  uint64_t expected = 7;
  atomic_compare_exchange_strong(w, &expected, 9); // cas
  expected = 7;
  atomic_compare_exchange_strong(w, &expected, 9); // failing-cas
  atomic_compare_exchange_strong_explicit(w, &expected, 9, memory_order_acquire, memory_order_relaxed); // ordered-cas
  expected = 7;
  atomic_compare_exchange_strong_explicit(w, &expected, 9, memory_order_acquire, memory_order_relaxed); // failing-ordered-cas
  atomic_fetch_or_explicit(w, 0x10, memory_order_relaxed); // or
}

__attribute__((noinline, used)) static void wide(__int128 *w) {
  __sync_bool_compare_and_swap(w, 0, ((__int128)2 << 64) | 1); // wide
}

__attribute__((noinline, used)) static int elsewhere(_Atomic uint32_t *w) {
  atomic_thread_fence(memory_order_seq_cst); // full-fence
  atomic_store(w, 3); // ordinary
  atomic_thread_fence(memory_order_release); // release-fence
  atomic_signal_fence(memory_order_seq_cst); // signal-fence
  return (int)atomic_load(w); // ordinary-load
}

int main(void) {
  words((_Atomic uint64_t *)test_pm);
  wide((__int128 *)(test_pm + 64));
  _Atomic int local = 0;
  atomic_fetch_add(&local, 1); // local
  return elsewhere(&ordinary) - 3;
}
