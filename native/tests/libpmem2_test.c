#include "harness.h"
#include <fcntl.h>
#include <libpmem2.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void usePmem2(void) {
  int fd = open(pm_file("libpmem2"), O_RDWR | O_CREAT, 0600);
  CHECK(fd >= 0 && ftruncate(fd, 4 << 20) == 0);
  struct pmem2_source *source;
  struct pmem2_config *config;
  struct pmem2_map *map;
  CHECK(pmem2_source_from_fd(&source, fd) == 0 && pmem2_config_new(&config) == 0);
  pmem2_config_set_required_store_granularity(config, PMEM2_GRANULARITY_PAGE);
  CHECK(pmem2_map_new(&map, config, source) == 0);
  char *pm = pmem2_map_get_address(map);
  CHECK_EQUAL(PERDURE_WINDOW_BASE, pm);
  CALL_FROM(1, pmem2_get_memcpy_fn(map)(pm, "hello", 6, 0));
  CALL_FROM(2, pmem2_get_memset_fn(map)(pm + 64, 'x', 6, PMEM2_F_MEM_NODRAIN));
  CALL_FROM(3, pmem2_get_memmove_fn(map)(pm + 128, pm, 6, PMEM2_F_MEM_NOFLUSH));
  CALL_FROM(4, pmem2_get_persist_fn(map)(pm + 128, 6));
  CALL_FROM(5, pmem2_get_flush_fn(map)(pm + 128, 6));
  CALL_FROM(6, pmem2_get_drain_fn(map)());
  CHECK(strcmp(pm + 128, "hello") == 0 && pm[69] == 'x');
  CHECK(pmem2_get_persist_fn(map) == pmem2_get_persist_fn(map));
  CHECK(pmem2_map_delete(&map) == 0);
}

static void shouldWrapTheFunctionsThatTheLibraryHandsOut(void) {
  struct run run;
  perform(&run, "usePmem2", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE_BLOCK, 1));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_PERSIST, 1));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE_NT_BLOCK, 2));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE_BLOCK, 3));
  CHECK_EQUAL(0, count_at(&run, PERDURE_EV_PERSIST, 3));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_PERSIST, 4));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_FLUSH, 5));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_FENCE, 6));
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_MAP));
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_UNMAP));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldWrapTheFunctionsThatTheLibraryHandsOut", shouldWrapTheFunctionsThatTheLibraryHandsOut},
    {NULL, NULL},
};
const struct named ACTS[] = {{"usePmem2", usePmem2}, {NULL, NULL}};
