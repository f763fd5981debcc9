/* LITMUS
 * command: fuzz
 * options: --seeds seeds/put_copy --time 20s
 * recover: {prog} {pm} recover
 * args: @@
 * expect: persistency-race store=S1 load=L1 effect=E2 level>=unrecovered evidence=observed-read,durable-effect,not-recovered
 * allow: redundant-flush
 * allow: redundant-fence
 * END */
/* A copy is made at two places. Recovery throws the first kind of copies away and forgets the second: that one effect is repaired does not make the race
 * harmless. */
#include "ops.h"

struct slot { _Alignas(LINE) volatile uint64_t v; };
struct pool { struct slot x[4], first[4], second[4]; };
static struct pool *pm;

static void put(unsigned key, uint64_t value) {
  pm->x[key].v = value; //@S1
  pause_ms(5);
  pm_persist(&pm->x[key], sizeof(struct slot));
}

static void copy(unsigned key) {
  pause_ms(2);
  uint64_t v = pm->x[key].v; //@L1
  pm->first[key].v = v; //@E1
  pm_persist(&pm->first[key], sizeof(struct slot));
  pm->second[key].v = v; //@E2
  pm_persist(&pm->second[key], sizeof(struct slot));
}

static void apply(int thread, const struct op *o) {
  (void)thread;
  if (is(o, "put")) put(o->key % 4, o->value + 1);
  if (is(o, "copy")) copy(o->key % 4);
}

static int recover(void) {
  for (int i = 0; i < 4; i++) {
    pm->first[i].v = 0;
    pm_persist(&pm->first[i], sizeof(struct slot));
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (strcmp(argv[2], "recover") == 0) return recover();
  ops_read(argv[2]);
  ops_run(2, apply);
  return 0;
}
