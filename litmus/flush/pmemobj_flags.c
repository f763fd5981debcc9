/* LITMUS
 * command: run
 * libs: -lpmemobj
 * expect: missing-fence store=S1
 * expect: missing-flush store=S2
 * expect: missing-fence store=S3
 * expect: missing-fence store=S4
 * expect: redundant-fence persist=P1
 * END */
/* The forms and flags of libpmemobj, each in a thread of its own. */
#include "litmus.h"
#include <libpmemobj.h>

static char *pm;
static PMEMobjpool *pop;

static void *f0(void *a) { pmemobj_memcpy(pop, pm, "hello", 5, PMEMOBJ_F_MEM_NODRAIN); return a; } //@S1
static void *f1(void *a) { pmemobj_memmove(pop, pm + 128, "hello", 5, PMEMOBJ_F_MEM_NOFLUSH); return a; } //@S2
static void *f2(void *a) { pmemobj_memset(pop, pm + 1024, 5, 1000, PMEMOBJ_F_MEM_NODRAIN); return a; } //@S3
static void *f3(void *a) {
  pm[2560] = 1; //@S4
  pmemobj_flush(pop, pm + 2560, 1);
  return a;
}

static void *f4(void *a) { pmemobj_memset_persist(pop, pm + 3000, 5, 400); return a; }
static void *f5(void *a) { pmemobj_drain(pop); return a; } //@P1
static void *f6(void *a) { pm[3600] = 1; if (pmemobj_xpersist(pop, pm + 3600, 1, PMEMOBJ_F_RELAXED)) exit(9); return a; }
static void *f7(void *a) { pm[3700] = 1; pmemobj_xflush(pop, pm + 3700, 1, 0); pmemobj_drain(pop); return a; }
static void *f8(void *a) { pmemobj_memcpy_persist(pop, pm + 3800, "abc", 3); return a; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pop = pmemobj_create(argv[1], "l", PMEMOBJ_MIN_POOL, 0600);
  if (!pop) return 9;
  pm = pmemobj_direct(pmemobj_root(pop, 8192));
  pm = (char *)(((uintptr_t)pm + 63) / 64 * 64);
  void *(*all[])(void *) = {f0, f1, f2, f3, f4, f5, f6, f7, f8};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    pthread_t t;
    start(&t, all[i], NULL);
    finish(t);
  }
  return 0;
}
