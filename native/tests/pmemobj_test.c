#include "harness.h"
#include <errno.h>
#include <libpmemobj.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct root {
  PMEMmutex mutex;
  PMEMrwlock rwlock;
  uint64_t words[64];
  PMEMoid object;
};

static PMEMobjpool *pool;
static struct root *root;

static void openPool(const char *name) {
  setenv("PMEM_IS_PMEM_FORCE", "1", 1);
  pool = pmemobj_create(pm_file(name), "test", PMEMOBJ_MIN_POOL, 0600);
  CHECK(pool != NULL);
  PMEMoid oid;
  CALL_FROM(100, oid = pmemobj_root(pool, sizeof(struct root)));
  root = pmemobj_direct(oid);
}

/* The events of a site outside the library, in their order, as kinds. */
static void expectAt(const struct run *run, uint32_t site, const uint32_t *expected, size_t n) {
  size_t at = 0;
  int inside = 0;
  for (size_t i = 0; i < run->events.count; i++) {
    const struct event *e = &run->events.all[i];
    if (e->kind == PERDURE_EV_LIBRARY_ENTER) {
      CHECK_EQUAL(0, inside);
      inside = 1;
    } else if (e->kind == PERDURE_EV_LIBRARY_LEAVE) {
      CHECK_EQUAL(1, inside);
      inside = 0;
    } else if (e->site == site && !inside) {
      CHECK(at < n);
      CHECK_EQUAL(expected[at], e->kind | e->info << 8);
      at++;
    }
  }
  CHECK_EQUAL(n, at);
  CHECK_EQUAL(0, inside);
}
#define EXPECT_AT(run, site, ...)                                                                                                          \
  do {                                                                                                                                     \
    static const uint32_t expected[] = {__VA_ARGS__};                                                                                      \
    expectAt(&(run), site, expected, sizeof expected / sizeof *expected);                                                                  \
  } while (0)
#define PERSISTED PERDURE_EV_PERSIST, PERDURE_EV_FENCE | PERDURE_FENCE_LOCKED << 8

static void persist(void) {
  openPool("persist");
  CALL_FROM(1, pmemobj_persist(pool, root->words, 16));
  CALL_FROM(2, pmemobj_flush(pool, root->words, 16));
  CALL_FROM(3, pmemobj_drain(pool));
  CALL_FROM(4, pmemobj_memcpy_persist(pool, root->words, "abc", 4));
  CALL_FROM(5, pmemobj_memset(pool, root->words + 8, 1, 8, PMEMOBJ_F_MEM_NODRAIN));
  pmemobj_close(pool);
}

static void shouldRecordPersistenceCallsAsTheProgramsOwn(void) {
  struct run run;
  perform(&run, "persist", (struct options){0});
  EXITED_WELL(run);
  EXPECT_AT(run, 1, PERSISTED);
  EXPECT_AT(run, 2, PERDURE_EV_FLUSH | PERDURE_FLUSH_LIBRARY << 8);
  EXPECT_AT(run, 3, PERDURE_EV_FENCE | PERDURE_FENCE_LIBRARY_DRAIN << 8);
  EXPECT_AT(run, 4, PERDURE_EV_STORE_BLOCK, PERSISTED);
  EXPECT_AT(run, 5, PERDURE_EV_STORE_NT_BLOCK);
  EXPECT_AT(run, 100, PERDURE_EV_ALLOC | 1 << 8);
  done(&run);
}

static int construct(PMEMobjpool *pop, void *object, void *argument) {
  store8(object, 5, 50);
  CALL_FROM(51, pmemobj_persist(pop, object, 8));
  return argument == NULL ? -1 : 0;
}

static void allocate(void) {
  openPool("allocate");
  PMEMoid oid = OID_NULL, failed = OID_NULL;
  CALL_FROM(1, CHECK(pmemobj_alloc(pool, &root->object, 100, 1, NULL, NULL) == 0));
  CALL_FROM(2, CHECK(pmemobj_zalloc(pool, &oid, 200, 1) == 0));
  CALL_FROM(3, pmemobj_free(&oid));
  CALL_FROM(4, CHECK(pmemobj_alloc(pool, &oid, 300, 1, construct, &oid) == 0));
  CHECK_EQUAL(5, *(uint64_t *)pmemobj_direct(oid));
  CALL_FROM(5, CHECK(pmemobj_alloc(pool, &failed, 300, 1, construct, NULL) != 0));
  CALL_FROM(6, CHECK(pmemobj_strdup(pool, &oid, "text", 1) == 0));
  CALL_FROM(7, CHECK(pmemobj_realloc(pool, &oid, 100000, 1) == 0));
  CHECK(strcmp(pmemobj_direct(oid), "text") == 0);
  struct pobj_action action;
  CALL_FROM(8, oid = pmemobj_reserve(pool, &action, 64, 1));
  CALL_FROM(9, CHECK(pmemobj_publish(pool, &action, 1) == 0));
  pmemobj_close(pool);
}

static void shouldRecordAllocationsWithTheirAddresses(void) {
  struct run run;
  perform(&run, "allocate", (struct options){0});
  EXITED_WELL(run);
  EXPECT_AT(run, 1, PERDURE_EV_ALLOC);
  EXPECT_AT(run, 2, PERDURE_EV_ALLOC | 1 << 8);
  EXPECT_AT(run, 3, PERDURE_EV_FREE);
  EXPECT_AT(run, 4, PERDURE_EV_ALLOC);
  EXPECT_AT(run, 50, PERDURE_EV_STORE | 8 << 8, PERDURE_EV_STORE | 8 << 8);
  EXPECT_AT(run, 51, PERSISTED, PERSISTED);
  EXPECT_AT(run, 6, PERDURE_EV_ALLOC, PERDURE_EV_STORE_BLOCK, PERSISTED);
  EXPECT_AT(run, 8, PERDURE_EV_ALLOC);
  const struct event *zeroed = event_of(&run, PERDURE_EV_ALLOC, 2), *freed = event_of(&run, PERDURE_EV_FREE, 0);
  CHECK_EQUAL(200, zeroed->value);
  CHECK_EQUAL(zeroed->addr, freed->addr);
  CHECK(freed->value >= 200);
  CHECK(zeroed->addr >= PERDURE_WINDOW_BASE && zeroed->addr < PERDURE_WINDOW_END);
  CHECK_EQUAL(event_of(&run, PERDURE_EV_STORE, 0)->addr, event_of(&run, PERDURE_EV_ALLOC, 3)->addr);
  done(&run);
}

static void commit(void) {
  openPool("commit");
  CALL_FROM(
      1, TX_BEGIN_PARAM(pool, TX_PARAM_MUTEX, &root->mutex, TX_PARAM_RWLOCK, &root->rwlock, TX_PARAM_NONE) {
        CALL_FROM(2, pmemobj_tx_add_range_direct(root->words, 16));
        store8(root->words, 7, 10);
        PMEMoid oid;
        CALL_FROM(3, oid = pmemobj_tx_alloc(64, 1));
        CALL_FROM(4, pmemobj_tx_free(oid));
        TX_BEGIN(pool) {
          CALL_FROM(5, TX_ADD_FIELD_DIRECT(root, object));
        }
        TX_END
      }
      TX_ONABORT { abort(); }
      TX_END);
  store8(root->words + 1, 8, 11);
  CHECK_EQUAL(7, root->words[0]);
  pmemobj_close(pool);
}

/* Library calls are recorded where something was recorded inside. */
static void expectNoEmptyCalls(const struct run *run) {
  size_t calls = count_of(run, PERDURE_EV_LIBRARY_ENTER);
  CHECK(calls > 0);
  CHECK_EQUAL(calls, count_of(run, PERDURE_EV_LIBRARY_LEAVE));
  for (size_t i = 1; i < run->events.count; i++) {
    const struct event *e = &run->events.all[i], *before = e - 1;
    CHECK(e->kind != PERDURE_EV_LIBRARY_LEAVE || before->kind != PERDURE_EV_LIBRARY_ENTER);
  }
}

static void shouldRecordACommittedTransaction(void) {
  struct run run;
  perform(&run, "commit", (struct options){0});
  EXITED_WELL(run);
  expectNoEmptyCalls(&run);
  EXPECT_AT(run, 1, PERDURE_EV_TX_BEGIN, PERDURE_EV_ACQUIRE, PERDURE_EV_ACQUIRE, PERDURE_EV_TX_BEGIN, PERDURE_EV_TX_COMMIT,
            PERDURE_EV_TX_END, PERDURE_EV_TX_COMMIT, PERDURE_EV_TX_END, PERDURE_EV_RELEASE, PERDURE_EV_RELEASE);
  EXPECT_AT(run, 2, PERDURE_EV_TX_ADD);
  EXPECT_AT(run, 3, PERDURE_EV_ALLOC);
  EXPECT_AT(run, 4, PERDURE_EV_FREE);
  EXPECT_AT(run, 5, PERDURE_EV_TX_ADD);
  const struct event *store = event_of(&run, PERDURE_EV_STORE, 0), *commit_event = event_of(&run, PERDURE_EV_TX_COMMIT, 1);
  CHECK_EQUAL(store->addr, event_of(&run, PERDURE_EV_TX_ADD, 0)->addr);
  bool flushed = false;
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    bool flush = e->kind == PERDURE_EV_FLUSH || e->kind == PERDURE_EV_PERSIST;
    flushed |= flush && e->addr <= store->addr && e->addr + e->value >= store->addr + 8 && e->time > store->time &&
               e->time < commit_event->time;
  }
  CHECK(flushed);
  done(&run);
}

static void abortIt(void) {
  openPool("abort");
  uint64_t *level;
  /* Instrumented code puts its stack pointer back where setjmp returns again. */
  CALL_FROM(1, {
    level = __perdure_tls.sp;
    TX_BEGIN_LOCK(pool, TX_PARAM_MUTEX, &root->mutex) {
      pmemobj_tx_add_range_direct(root->words, 8);
      root->words[0] = 9;
      CALL_FROM(2, pmemobj_tx_alloc(64, 1));
      CALL_FROM(3, pmemobj_tx_abort(ECANCELED));
    }
    TX_ONABORT {
      __perdure_tls.sp = level;
      store8(root->words + 1, 1, 20);
    }
    TX_END;
    store8(root->words + 1, 1, 21);
    TX_BEGIN(pool) {
      CALL_FROM(4, pmemobj_tx_alloc((size_t)1 << 40, 1));
    }
    TX_ONABORT {
      __perdure_tls.sp = level;
      store8(root->words + 1, 1, 22);
    }
    TX_END;
  });
  CHECK_EQUAL(0, root->words[0]);
  CHECK(pmemobj_mutex_trylock(pool, &root->mutex) == 0);
  pmemobj_close(pool);
}

static void shouldLeaveTheLibraryWhenATransactionJumpsOut(void) {
  struct run run;
  perform(&run, "abortIt", (struct options){0});
  EXITED_WELL(run);
  EXPECT_AT(run, 3, PERDURE_EV_TX_ABORT, PERDURE_EV_FREE);
  EXPECT_AT(run, 4, PERDURE_EV_TX_ABORT);
  EXPECT_AT(run, 1, PERDURE_EV_TX_BEGIN, PERDURE_EV_ACQUIRE, PERDURE_EV_TX_ADD, PERDURE_EV_TX_END, PERDURE_EV_RELEASE, PERDURE_EV_TX_BEGIN,
            PERDURE_EV_TX_END);
  for (uint32_t site = 20; site <= 22; site++) {
    EXPECT_AT(run, site, PERDURE_EV_STORE | 8 << 8);
  }
  done(&run);
}

static int callbacks;
static void callBack(PMEMobjpool *pop, enum pobj_tx_stage stage, void *argument) {
  (void)pop, (void)stage;
  CHECK(argument == &callbacks);
  callbacks++;
  store8(root->words, 1, 30);
}

static void withCallback(void) {
  openPool("callback");
  TX_BEGIN_PARAM(pool, TX_PARAM_CB, callBack, &callbacks, TX_PARAM_NONE) {
    TX_BEGIN_PARAM(pool, TX_PARAM_CB, callBack, &callbacks, TX_PARAM_NONE) {}
    TX_END
  }
  TX_END
  CHECK(callbacks > 0);
  pmemobj_close(pool);
}

static void shouldTakeCallbacksForUserCode(void) {
  struct run run;
  perform(&run, "withCallback", (struct options){0});
  EXITED_WELL(run);
  size_t stores = count_at(&run, PERDURE_EV_STORE, 30);
  CHECK(stores > 0);
  int inside = 0;
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    inside += (e->kind == PERDURE_EV_LIBRARY_ENTER) - (e->kind == PERDURE_EV_LIBRARY_LEAVE);
    CHECK(e->site != 30 || inside == 0);
  }
  done(&run);
}

static void useLocks(void) {
  openPool("locks");
  struct timespec past = {0, 0};
  CALL_FROM(1, {
    pmemobj_mutex_lock(pool, &root->mutex);
    CHECK(pmemobj_mutex_trylock(pool, &root->mutex) == EBUSY);
    static PMEMcond condition;
    CHECK(pmemobj_cond_timedwait(pool, &condition, &root->mutex, &past) == ETIMEDOUT);
    pmemobj_mutex_unlock(pool, &root->mutex);
    pmemobj_rwlock_rdlock(pool, &root->rwlock);
    pmemobj_rwlock_unlock(pool, &root->rwlock);
    CHECK(pmemobj_rwlock_trywrlock(pool, &root->rwlock) == 0);
    pmemobj_rwlock_unlock(pool, &root->rwlock);
  });
  pmemobj_close(pool);
}

static void shouldRecordLocksInPm(void) {
  struct run run;
  perform(&run, "useLocks", (struct options){0});
  EXITED_WELL(run);
  EXPECT_AT(run, 1, PERDURE_EV_ACQUIRE, PERDURE_EV_RELEASE, PERDURE_EV_ACQUIRE, PERDURE_EV_RELEASE,
            PERDURE_EV_ACQUIRE | PERDURE_LOCK_SHARED << 8, PERDURE_EV_RELEASE, PERDURE_EV_ACQUIRE | PERDURE_LOCK_TRY << 8,
            PERDURE_EV_RELEASE);
  CHECK(event_of(&run, PERDURE_EV_ACQUIRE, 0)->addr != 0);
  done(&run);
}

static void reopen(void) {
  openPool("reopen");
  PMEMobjpool *before = pool;
  pmemobj_close(pool);
  pool = pmemobj_open(pm_file("reopen"), "test");
  CHECK(pool == before);
  pmemobj_close(pool);
}

static void shouldFindPoolsAtTheSameAddressAgain(void) {
  struct run run;
  perform(&run, "reopen", (struct options){0});
  EXITED_WELL(run);
  done(&run);
}

/* Every page of the pool is touched first, as prefaulting does; most of them rest then, and some are written to again. */
static void libraryChanges(void) {
  setenv("PMEM_IS_PMEM_FORCE", "1", 1);
  int yes = 1;
  CHECK_EQUAL(0, pmemobj_ctl_set(NULL, "prefault.at_create", &yes));
  openPool("changes");
  for (int n = 0; n < 40; n++) {
    PMEMoid oid;
    CHECK_EQUAL(0, pmemobj_zalloc(pool, &oid, 3000, 1));
    if (n % 3 == 0) {
      pmemobj_free(&oid);
    }
  }
  pmemobj_close(pool);
}

static void wantChanges(struct recording *r) { r->header->flags |= PERDURE_FLAG_LIBRARY_CHANGES; }

/* A file may be mapped at several places. */
struct place {
  uint64_t addr, length, offset;
};

static void write_into(unsigned char *image, const struct place *places, size_t count, const struct event *e) {
  bool block = e->kind == PERDURE_EV_STORE_BLOCK || e->kind == PERDURE_EV_STORE_NT_BLOCK;
  size_t length = block ? e->value : e->info;
  const void *bytes = block || length > 8 ? (const void *)e->payload : &e->value;
  for (size_t i = count; i-- > 0;) {
    if (e->addr >= places[i].addr && e->addr + length <= places[i].addr + places[i].length) {
      memcpy(image + places[i].offset + (e->addr - places[i].addr), bytes, length);
      return;
    }
  }
}

static void shouldRecordAllThatTheLibraryWrites(void) {
  struct run run;
  perform(&run, "libraryChanges", (struct options){.before = wantChanges, .ring_slots = 1 << 16});
  EXITED_WELL(run);
  struct place places[64];
  size_t count = 0;
  unsigned char *image = calloc(1, PMEMOBJ_MIN_POOL), *file = calloc(1, PMEMOBJ_MIN_POOL);
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    if (e->kind == PERDURE_EV_MAP) {
      CHECK(count < 64);
      places[count++] = (struct place){e->addr, e->value, ((const uint64_t *)e->payload)[1]};
    } else if (e->kind == PERDURE_EV_STORE || e->kind == PERDURE_EV_STORE_NT || e->kind == PERDURE_EV_STORE_BLOCK ||
               e->kind == PERDURE_EV_STORE_NT_BLOCK) {
      write_into(image, places, count, e);
    }
  }
  FILE *in = fopen(pm_file("changes"), "r");
  CHECK(in != NULL && fread(file, 1, PMEMOBJ_MIN_POOL, in) == PMEMOBJ_MIN_POOL);
  fclose(in);
  size_t different = 0, written = 0;
  for (size_t i = 0; i < PMEMOBJ_MIN_POOL; i++) {
    different += image[i] != file[i];
    written += file[i] != 0;
  }
  CHECK(written > 1000);
  CHECK_EQUAL(0, different);
  free(image);
  free(file);
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordPersistenceCallsAsTheProgramsOwn", shouldRecordPersistenceCallsAsTheProgramsOwn},
    {"shouldRecordAllocationsWithTheirAddresses", shouldRecordAllocationsWithTheirAddresses},
    {"shouldRecordACommittedTransaction", shouldRecordACommittedTransaction},
    {"shouldLeaveTheLibraryWhenATransactionJumpsOut", shouldLeaveTheLibraryWhenATransactionJumpsOut},
    {"shouldRecordAllThatTheLibraryWrites", shouldRecordAllThatTheLibraryWrites},
    {"shouldTakeCallbacksForUserCode", shouldTakeCallbacksForUserCode},
    {"shouldRecordLocksInPm", shouldRecordLocksInPm},
    {"shouldFindPoolsAtTheSameAddressAgain", shouldFindPoolsAtTheSameAddressAgain},
    {NULL, NULL},
};
const struct named ACTS[] = {{"libraryChanges", libraryChanges}, {"persist", persist}, {"allocate", allocate}, {"commit", commit}, {"abortIt", abortIt},
                             {"withCallback", withCallback}, {"useLocks", useLocks}, {"reopen", reopen}, {NULL, NULL}};
