/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * expect: sync-inconsistency store=S1
 * END */
/* Two threads count under a spin lock that lies in the pool. The counter is persisted inside the lock; the lock word is
 * declared, and recovery does not reset it. */
#include "litmus.h"
#include <perdure.h>
#include <stdatomic.h>

struct pool { _Alignas(LINE) _Atomic uint32_t lock; _Alignas(LINE) uint64_t count; };
static struct pool *pm;

static void *work(void *arg) {
  (void)arg;
  for (int i = 0; i < 3; i++) {
    uint32_t zero = 0;
    while (!atomic_compare_exchange_strong(&pm->lock, &zero, 1)) zero = 0; //@S1
    pm->count++;
    pm_persist(&pm->count, sizeof pm->count);
    atomic_store(&pm->lock, 0);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_SYNC_VAR(&pm->lock, sizeof pm->lock, 0);
  PERDURE_COMMIT_VAR(&pm->count, sizeof pm->count);
  if (strcmp(argv[2], "recover") == 0) {
    printf("%d\n", (int)pm->count);
    return 0;
  }
  pthread_t t[2];
  for (int i = 0; i < 2; i++) start(&t[i], work, NULL);
  for (int i = 0; i < 2; i++) finish(t[i]);
  return 0;
}
