/* LITMUS
 * command: fuzz
 * options: --seeds seeds/put_change_remove --time 10s
 * recover: {prog} {pm} recover
 * args: @@
 * allow: redundant-flush
 * allow: redundant-fence
 * END */
/* A change looks for its key without the lock, takes the lock, and looks again. A key that was removed in between is a case of its own; the lock is given
 * back in that, too. */
#include "ops.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint32_t lock; _Alignas(LINE) volatile uint64_t key[4]; volatile uint64_t value[4]; };
static struct pool *pm;

static void lock(void) {
  while (__atomic_exchange_n(&pm->lock, 1, __ATOMIC_ACQUIRE) != 0) _mm_pause(); //@S1
}

static void unlock(void) { __atomic_store_n(&pm->lock, 0, __ATOMIC_RELEASE); }

static int find(uint64_t key) {
  for (int i = 0; i < 4; i++) {
    if (pm->key[i] == key) return i;
  }
  return -1;
}

/* Non-temporal and fenced: nobody reads what is not persistent. */
static void write_through(volatile uint64_t *to, uint64_t value) {
  PERDURE_RELAXED_BEGIN();
  _mm_stream_si64((long long *)to, (long long)value);
  pm_fence();
  PERDURE_RELAXED_END();
}

static void put(uint64_t key, uint64_t value) {
  lock();
  int i = find(key);
  if (i < 0) i = find(0);
  if (i >= 0) {
    write_through(&pm->value[i], value);
    write_through(&pm->key[i], key);
  }
  unlock();
}

static void change(uint64_t key, uint64_t value) {
  if (find(key) < 0) return;
  pause_ms(2);
  lock();
  int i = find(key);
  if (i < 0) {
    unlock();
    return;
  }
  write_through(&pm->value[i], value);
  unlock();
}

static void take_out(uint64_t key) {
  lock();
  int i = find(key);
  if (i >= 0) write_through(&pm->key[i], 0);
  unlock();
}

static void apply(int thread, const struct op *o) {
  (void)thread;
  if (is(o, "put")) put(o->key % 4 + 1, o->value + 1);
  if (is(o, "change")) change(o->key % 4 + 1, o->value + 1);
  if (is(o, "remove")) take_out(o->key % 4 + 1);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_SYNC_VAR(&pm->lock, sizeof pm->lock, 0);
  if (strcmp(argv[2], "recover") == 0) {
    pm->lock = 0;
    pm_persist(&pm->lock, sizeof pm->lock);
    return 0;
  }
  ops_read(argv[2]);
  ops_run(2, apply);
  return 0;
}
