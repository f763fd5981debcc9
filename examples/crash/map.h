/* What the maps of this folder share: a pool with one map in it, and a driver.
 *
 *     MAP POOL insert N     makes the pool where there is none, and inserts N further keys
 *     MAP POOL open         opens the pool and closes it
 *     MAP POOL recover      opens the pool as after a restart, checks the whole map, and inserts one more key
 *
 * Each map can be built with a planted bug: -DBUG=1, -DBUG=2 and so on; number and
 * kind of finding stand beside the line. */
#ifndef MAP_H
#define MAP_H
#include <libpmemobj.h>
#include <perdure.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif
#define LAYOUT "perdure-map"

struct map; /* the root object, each map has its own */
static PMEMobjpool *pool;

static size_t map_size(void);
static void map_declare(struct map *map);
static void map_insert(struct map *map, uint64_t key, uint64_t value);
/* Puts right what a failure may leave, and returns the number of keys; ends the program where the map is broken. */
static uint64_t map_recover(struct map *map);

static void *direct(PMEMoid oid) { return pmemobj_direct(oid); }

static void broken(const char *what) {
  fprintf(stderr, "the map is broken: %s\n", what);
  exit(3);
}

/* What the transaction has logged or allocated: nothing needs to be logged twice. */
static const void *known[256];
static unsigned knowns;

static void know(const void *object) {
  if (knowns < sizeof known / sizeof *known) known[knowns++] = object;
}

static int is_known(const void *object) {
  for (unsigned i = 0; i < knowns; i++)
    if (known[i] == object) return 1;
  return 0;
}

static inline void log_object(const void *object, size_t size) {
  if (is_known(object)) return;
  know(object);
  pmemobj_tx_add_range_direct(object, size);
}
#define LOG(object) log_object(object, sizeof *(object))

/* A new object of the transaction: it needs no log, and the commit persists it. */
static inline void *new_object(size_t size, PMEMoid *oid) {
  *oid = pmemobj_tx_zalloc(size, 1);
  void *object = direct(*oid);
  know(object);
  return object;
}

static inline void begin(void) {
  knowns = 0;
  if (pmemobj_tx_begin(pool, NULL, TX_PARAM_NONE) != 0) broken("no transaction");
}

static inline void commit(void) {
  pmemobj_tx_commit();
  pmemobj_tx_end();
}

/* Keys in an order that makes trees turn and split. */
static uint64_t scattered(uint64_t n) {
  uint64_t x = n * 0x9e3779b97f4a7c15;
  return ((x ^ x >> 31) * 0xbf58476d1ce4e5b9) >> 40;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int recovering = strcmp(argv[2], "recover") == 0;
  pool = pmemobj_open(argv[1], LAYOUT);
  if (pool == NULL && !recovering) pool = pmemobj_create(argv[1], LAYOUT, PMEMOBJ_MIN_POOL, 0600);
  if (pool == NULL) {
    perror(argv[1]);
    return 9;
  }
  if (strcmp(argv[2], "open") == 0) {
    pmemobj_close(pool);
    return 0;
  }
  struct map *map = direct(pmemobj_root(pool, map_size()));
  map_declare(map);
  if (recovering) {
    uint64_t keys = map_recover(map);
    map_insert(map, scattered(keys + 1000), 7);
    printf("%d keys\n", (int)keys);
  } else {
    uint64_t keys = map_recover(map);
    PERDURE_ROI_BEGIN();
    for (int i = 0; argc > 3 && i < atoi(argv[3]); i++) map_insert(map, scattered(keys + (uint64_t)i + 1), (uint64_t)i);
    PERDURE_ROI_END();
  }
  pmemobj_close(pool);
  return 0;
}
#endif
