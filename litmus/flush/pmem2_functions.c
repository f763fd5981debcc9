/* LITMUS
 * command: run
 * libs: -lpmem2
 * expect: missing-fence store=S1
 * expect: missing-flush store=S2
 * expect: redundant-fence persist=P1
 * END */
/* libpmem2 gives functions for a mapping: flush without drain, persist, a copy without a flush, a drain with nothing to
 * do. */
#include "litmus.h"
#include <libpmem2.h>

static char *pm;
static struct pmem2_map *map;

static void *flusher(void *a) {
  pm[0] = 1; //@S1
  pmem2_get_flush_fn(map)(pm, 1);
  return a;
}

static void *drainer(void *a) {
  pmem2_get_drain_fn(map)(); //@P1
  return a;
}

static void *copier(void *a) {
  pmem2_get_memcpy_fn(map)(pm + 64, "abc", 3, PMEM2_F_MEM_NOFLUSH); //@S2
  pmem2_get_memset_fn(map)(pm + 128, 1, 100, 0);
  pm[1024] = 1;
  pmem2_get_persist_fn(map)(pm + 1024, 1);
  pmem2_get_memmove_fn(map)(pm + 2048, pm + 1024, 50, PMEM2_F_MEM_NODRAIN);
  pmem2_get_drain_fn(map)();
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  setenv("PMEM2_FORCE_GRANULARITY", "CACHE_LINE", 1);
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (ftruncate(fd, 1 << 21)) return 9;
  struct pmem2_source *src;
  struct pmem2_config *cfg;
  if (pmem2_config_new(&cfg) || pmem2_source_from_fd(&src, fd)) return 9;
  pmem2_config_set_required_store_granularity(cfg, PMEM2_GRANULARITY_PAGE);
  if (pmem2_map_new(&map, cfg, src)) { pmem2_perror("map"); return 9; }
  if (pmem2_map_get_store_granularity(map) != PMEM2_GRANULARITY_CACHE_LINE) return 8;
  pm = pmem2_map_get_address(map);
  void *(*all[])(void *) = {flusher, drainer, copier};
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    start(&t, all[i], NULL);
    finish(t);
  }
  return 0;
}
