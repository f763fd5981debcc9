/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * expect: missing-fence store=S2
 * END */
/* Any locked instruction completes a flush, whatever its order, also a compare-and-swap that fails; a release store and a fence of that
 * order are plain instructions. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t *pm = pm_map(argv[1], 4096);
  static int word, expected = 4;
  pm[0] = 1;
  pm_flush(&pm[0]);
  __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
  pm[8] = 1;
  pm_flush(&pm[8]);
  __atomic_compare_exchange_n(&word, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  pm[16] = 1;
  pm_flush(&pm[16]);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  pm[24] = 1; //@S1
  pm_flush(&pm[24]);
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
  pm[32] = 1; //@S2
  pm_flush(&pm[32]);
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  return 0;
}
