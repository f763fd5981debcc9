/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* C11 threads (<threads.h>): thrd_create, mtx_lock and mtx_unlock are thread creation and locking like their POSIX
 * twins. x is persisted after mtx_unlock. */
#include "litmus.h"
#include <threads.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static mtx_t a;
static note looked;

static int writer(void *arg) {
  (void)arg;
  mtx_lock(&a);
  pm->x = 1; //@S1
  mtx_unlock(&a);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  return 0;
}

static uint64_t get(void) {
  mtx_lock(&a);
  uint64_t v = pm->x; //@L1
  mtx_unlock(&a);
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (mtx_init(&a, mtx_plain) != thrd_success) return 9;
  thrd_t t;
  if (thrd_create(&t, writer, NULL) != thrd_success) return 9;
  while (get() == 0) pause_ms(2);
  tell(&looked);
  thrd_join(t, NULL);
  return 0;
}
