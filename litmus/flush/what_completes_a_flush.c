/* LITMUS
 * command: run
 * expect: missing-fence store=N1
 * expect: missing-fence store=N2
 * expect: missing-fence store=N3
 * expect: missing-fence store=N4
 * expect: missing-fence store=N5
 * expect: missing-fence store=N6
 * expect: missing-fence store=N7
 * expect: missing-fence store=N8
 * END */
/* Which operations complete the flushes before them: each in a thread of its own. */
#include "litmus.h"
#include <semaphore.h>
#include <stdatomic.h>
#include <errno.h>
#include <time.h>

static uint64_t (*l)[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t rec;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t bar;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t one, none;
static _Atomic int word;
static pthread_once_t done = PTHREAD_ONCE_INIT, fresh = PTHREAD_ONCE_INIT;

static void nothing(void) {}
#define PUT(i) l[i][0] = 1
static void *f0(void *a) { PUT(0); pm_flush(l[0]); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
static void *f1(void *a) { PUT(1); pm_flush(l[1]); pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); return a; }
static void *f2(void *a) { PUT(2); pm_flush(l[2]); pthread_spin_lock(&spin); pthread_spin_unlock(&spin); return a; }
static void *f3(void *a) { PUT(3); pm_flush(l[3]); sem_wait(&one); return a; }
static void *f4(void *a) { PUT(4); pm_flush(l[4]); pthread_barrier_wait(&bar); return a; }
static void *f5(void *a) { PUT(5); pm_flush(l[5]); atomic_fetch_add(&word, 1); return a; }
static void *f6(void *a) { PUT(6); pm_flush(l[6]); int e = 77; atomic_compare_exchange_strong(&word, &e, 1); return a; }
static void *f7(void *a) { PUT(7); pm_flush(l[7]); atomic_store(&word, 3); return a; }
static void *f8(void *a) { PUT(8); pm_flush(l[8]); pthread_once(&fresh, nothing); return a; }
static void *f9(void *a) { PUT(9); pm_flush(l[9]); pthread_t t; pthread_create(&t, NULL, (void *(*)(void *))getppid, NULL); pthread_detach(t); return a; }
static void *f10(void *a) { PUT(10); pm_flush(l[10]); if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); return a; }
static void *f11(void *a) { PUT(11); pm_flush(l[11]); __asm__ volatile("lock; addl $0, (%%rsp)" : : : "memory", "cc"); return a; }
static void *f12(void *a) { PUT(12); pm_flush(l[12]); __asm__ volatile("mfence" : : : "memory"); return a; }
static void *g0(void *a) { PUT(20); /*//@N1*/ pm_flush(l[20]); if (pthread_mutex_trylock(&held) != EBUSY) exit(9); return a; }
static void *g1(void *a) { PUT(21); /*//@N2*/ pm_flush(l[21]); pthread_cond_broadcast(&cond); return a; }
static void *g2(void *a) { PUT(22); /*//@N3*/ pm_flush(l[22]); if (sem_trywait(&none) == 0) exit(9); return a; }
static void *g3(void *a) { PUT(23); /*//@N4*/ pm_flush(l[23]); pthread_once(&done, nothing); return a; }
static void *g4(void *a) { pthread_spin_lock(&spin); PUT(24); /*//@N5*/ pm_flush(l[24]); pthread_spin_unlock(&spin); return a; }
static void *g5(void *a) { PUT(25); /*//@N6*/ pm_flush(l[25]); atomic_store_explicit(&word, 1, memory_order_release); keep(atomic_load(&word)); return a; }
static void *g6(void *a) { PUT(26); /*//@N7*/ pm_flush(l[26]); struct timespec now = {0, 0}; if (pthread_mutex_timedlock(&held, &now) != ETIMEDOUT) exit(9); return a; }
static void *g7(void *a) { PUT(27); /*//@N8*/ pm_flush(l[27]); __asm__ volatile("lfence" : : : "memory"); return a; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  l = pm_map(argv[1], 4096);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&bar, NULL, 1);
  sem_init(&one, 0, 1);
  sem_init(&none, 0, 0);
  pthread_once(&done, nothing);
  pthread_mutex_lock(&held);
  void *(*all[])(void *) = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, g0, g1, g2, g3, g4, g5, g6, g7};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    pthread_t t;
    start(&t, all[i], NULL);
    finish(t);
  }
  return 0;
}
