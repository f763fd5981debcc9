#include "harness.h"
#include <libpmem.h>
#include <string.h>
#include <sys/wait.h>

static char *pm;

static void expectKinds(const struct run *run, const uint32_t *expected, size_t n) {
  size_t at = 0;
  for (size_t i = 0; i < run->events.count; i++) {
    const struct event *e = &run->events.all[i];
    if (e->site >= 100) {
      CHECK(at < n);
      CHECK_EQUAL(expected[at], e->kind | e->info << 8);
      CHECK_EQUAL(100, e->site);
      at++;
    }
  }
  CHECK_EQUAL(n, at);
}
#define FROM(call) CALL_FROM(100, call)
#define PERSISTED PERDURE_EV_PERSIST, PERDURE_EV_FENCE | PERDURE_FENCE_LOCKED << 8

static void usePmem(void) {
  size_t length;
  int is_pmem;
  pm = pmem_map_file(pm_file("libpmem"), 1 << 20, PMEM_FILE_CREATE, 0600, &length, &is_pmem);
  CHECK((uint64_t)pm >= PERDURE_WINDOW_BASE && (uint64_t)pm < PERDURE_WINDOW_END);
  FROM(pmem_persist(pm, 10));
  FROM(pmem_flush(pm, 10));
  FROM(pmem_drain());
  FROM(pmem_msync(pm, 10));
  FROM(pmem_deep_persist(pm, 10));
  FROM(pmem_memcpy_persist(pm, "persist", 8));
  FROM(pmem_memcpy_nodrain(pm + 64, "nodrain", 8));
  FROM(pmem_memset_persist(pm + 128, 'x', 4));
  FROM(pmem_memcpy(pm + 192, "plain", 6, PMEM_F_MEM_NOFLUSH));
  FROM(pmem_memmove(pm + 256, pm, 8, 0));
  CHECK(strcmp(pm + 256, "persist") == 0 && strcmp(pm + 64, "nodrain") == 0 && pm[131] == 'x');
  CHECK(pmem_unmap(pm, length) == 0);
}

static void shouldRecordEachCallAsWhatItMeans(void) {
  static const uint32_t expected[] = {PERSISTED,
                                      PERDURE_EV_FLUSH | PERDURE_FLUSH_LIBRARY << 8,
                                      PERDURE_EV_FENCE | PERDURE_FENCE_LIBRARY_DRAIN << 8,
                                      PERDURE_EV_PERSIST | PERDURE_PERSIST_MSYNC << 8,
                                      PERDURE_EV_PERSIST | PERDURE_PERSIST_DEEP << 8,
                                      PERDURE_EV_FENCE | PERDURE_FENCE_LOCKED << 8,
                                      PERDURE_EV_STORE_BLOCK,
                                      PERSISTED,
                                      PERDURE_EV_STORE_NT_BLOCK,
                                      PERDURE_EV_STORE_BLOCK,
                                      PERSISTED,
                                      PERDURE_EV_STORE_BLOCK,
                                      PERDURE_EV_STORE_BLOCK,
                                      PERDURE_EV_LOAD_BLOCK,
                                      PERSISTED};
  struct run run;
  perform(&run, "usePmem", (struct options){0});
  EXITED_WELL(run);
  expectKinds(&run, expected, sizeof expected / sizeof *expected);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_UNMAP));
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_LIBRARY_ENTER));
  CHECK_EQUAL(2, count_of(&run, PERDURE_EV_LIBRARY_LEAVE));
  CHECK(memcmp(event_of(&run, PERDURE_EV_STORE_NT_BLOCK, 0)->payload, "nodrain", 8) == 0);
  done(&run);
}

static void nameNothing(struct recording *r) { memset(r->paths, 0, PERDURE_PATHS_BYTES); }

static void shouldKnowMappingsOfTheLibraryByThemselves(void) {
  struct run run;
  perform(&run, "usePmem", (struct options){.before = nameNothing});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_MAP));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordEachCallAsWhatItMeans", shouldRecordEachCallAsWhatItMeans},
    {"shouldKnowMappingsOfTheLibraryByThemselves", shouldKnowMappingsOfTheLibraryByThemselves},
    {NULL, NULL},
};
const struct named ACTS[] = {{"usePmem", usePmem}, {NULL, NULL}};
