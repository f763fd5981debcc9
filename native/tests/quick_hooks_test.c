#include "harness.h"
#include <pthread.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t ordinary;

/* Calls a quick hook with values in all registers that it must keep, and checks that they are still there. */
static void call_keeping(void *hook, const void *addr, uint64_t value, uint32_t info, uint32_t site) {
  register uint64_t rax __asm__("rax") = 0x1111, r8 __asm__("r8") = 0x2222, r9 __asm__("r9") = 0x3333, r10 __asm__("r10") = 0x4444;
  register void *r11 __asm__("r11") = hook;
  register const void *rdi __asm__("rdi") = addr;
  register uint64_t rsi __asm__("rsi") = value, rdx __asm__("rdx") = info, rcx __asm__("rcx") = site;
  __asm__ volatile("leaq -128(%%rsp), %%rsp\n pushq %%rbp\n movq %%rsp, %%rbp\n andq $-16, %%rsp\n"
                   "call *%%r11\n"
                   "movq %%rbp, %%rsp\n popq %%rbp\n leaq 128(%%rsp), %%rsp"
                   : "+r"(rax), "+r"(r8), "+r"(r9), "+r"(r10), "+r"(r11), "+r"(rdi), "+r"(rsi), "+r"(rdx), "+r"(rcx)
                   :
                   : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
  bool kept = rax == 0x1111 && r8 == 0x2222 && r9 == 0x3333 && r10 == 0x4444 && rdi == addr && rsi == value && rdx == info && rcx == site;
  CHECK(kept);
}

static void callAll(const uint64_t *pm) {
  uint32_t info = PERDURE_INFO(8, PERDURE_ACQUIRE_ORDER);
  call_keeping(__perdure_quick_load, pm, 0x123456789abcdef0, info, 11);
  call_keeping(__perdure_quick_load_followed, pm, 5, info, 16);
  call_keeping(__perdure_quick_store, pm + 1, 7, info, 12);
  call_keeping(__perdure_quick_flush, pm + 2, 1, PERDURE_FLUSH_CLWB, 13);
  call_keeping(__perdure_quick_fence, NULL, 0, PERDURE_FENCE_SFENCE, 14);
  call_keeping(__perdure_quick_region_start, pm + 3, 16, PERDURE_REGION_STORE, 15);
}

/* With an empty stack, one that is new, one that is known, behind a lock, in memory that is PM only in part, and none. */
static void callInAllWays(void) {
  uint64_t *pm = map_pm("quick", 4096);
  callAll(pm);
  CALL_FROM(9, callAll(pm));
  CALL_FROM(9, {
    pthread_mutex_lock(&mutex);
    callAll(pm);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 1000; i++) {
      callAll(pm);
    }
  });
  __perdure_mark(PERDURE_EV_PM_RANGE, &ordinary, sizeof ordinary, 0);
  call_keeping(__perdure_quick_load, &ordinary, 1, PERDURE_INFO(8, 0), 21);
  call_keeping(__perdure_quick_load, &ordinary + 100, 1, PERDURE_INFO(8, 0), 22);
  call_keeping(__perdure_quick_fence, NULL, 0, PERDURE_FENCE_ACQUIRE, 23);
  call_keeping(__perdure_quick_region_start, pm, PERDURE_BLOCK_MAX + 1, PERDURE_REGION_LOAD, 24);
  call_keeping(__perdure_quick_region_start, &ordinary + 100, 8, PERDURE_REGION_LOAD, 24);
}

static void loadInARow(void) {
  uint64_t *pm = map_pm("quick", 4096);
  for (uint32_t i = 0; i < 3 * PERDURE_MOST_UNSETTLED; i++) {
    call_keeping(__perdure_quick_load_followed, pm, i, PERDURE_INFO(8, 0), 31);
  }
  call_keeping(__perdure_quick_store, pm, 7, PERDURE_INFO(8, 0), 32);
}

/* Loads that others were said to follow, and do not: none waits for long. */
static void shouldStampALoadNowAndThen(void) {
  for (enum perdure_clock clock = PERDURE_CLOCK_TSC; clock <= PERDURE_CLOCK_COUNTER; clock++) {
    struct run run;
    perform(&run, "loadInARow", (struct options){.clock = clock});
    EXITED_WELL(run);
    uint32_t loads = 0, untimed = 0;
    for (size_t i = 0; i < run.events.count; i++) {
      const struct event *e = &run.events.all[i];
      if (e->kind == PERDURE_EV_LOAD && e->site == 31) {
        CHECK_EQUAL(loads++, e->value);
        untimed = e->untimed ? untimed + 1 : 0;
        CHECK(untimed <= PERDURE_MOST_UNSETTLED);
        CHECK_EQUAL(clock == PERDURE_CLOCK_TSC && loads % (PERDURE_MOST_UNSETTLED + 1) != 0, e->untimed);
      }
    }
    CHECK_EQUAL(3 * PERDURE_MOST_UNSETTLED, loads);
    done(&run);
  }
}

static void storeInARow(void) {
  uint64_t *pm = map_pm("quick", 4096);
  call_keeping(__perdure_quick_store, pm, 0, PERDURE_INFO(8, 0), 33);
  call_keeping(__perdure_quick_store_preceded, pm, 1, PERDURE_INFO(8, 0), 34);
  call_keeping(__perdure_quick_flush_preceded, pm, 1, PERDURE_FLUSH_CLWB, 35);
  call_keeping(__perdure_quick_load_followed, pm, 1, PERDURE_INFO(8, 0), 36);
  call_keeping(__perdure_quick_store_preceded, pm, 2, PERDURE_INFO(8, 0), 37);
  for (uint32_t i = 0; i < 3 * PERDURE_STAMP_ONE_OF; i++) {
    call_keeping(__perdure_quick_store_preceded, pm, i, PERDURE_INFO(8, 0), 38);
  }
}

static const struct event *at_site(const struct run *run, uint32_t site) {
  for (size_t i = 0; i < run->events.count; i++) {
    if (run->events.all[i].site == site) {
      return &run->events.all[i];
    }
  }
  return NULL;
}

/* Stores and flushes directly behind others have their time, but not behind loads that wait for one, and not too many in a row. */
static void shouldStampAStoreBehindAnotherNowAndThen(void) {
  for (enum perdure_clock clock = PERDURE_CLOCK_TSC; clock <= PERDURE_CLOCK_COUNTER; clock++) {
    struct run run;
    perform(&run, "storeInARow", (struct options){.clock = clock});
    EXITED_WELL(run);
    bool cycles = clock == PERDURE_CLOCK_TSC;
    CHECK(!at_site(&run, 33)->with_last);
    CHECK_EQUAL(cycles, at_site(&run, 34)->with_last);
    CHECK_EQUAL(cycles, at_site(&run, 35)->with_last);
    CHECK_EQUAL(cycles, at_site(&run, 36)->untimed);
    CHECK(!at_site(&run, 37)->with_last);
    uint32_t stores = 0, stamped = 0;
    for (size_t i = 0; i < run.events.count; i++) {
      const struct event *e = &run.events.all[i];
      if (e->site == 38) {
        CHECK_EQUAL(stores++, e->value);
        stamped += !e->with_last;
      }
    }
    CHECK_EQUAL(3 * PERDURE_STAMP_ONE_OF, stores);
    CHECK_EQUAL(cycles ? 3 : stores, stamped);
    done(&run);
  }
}

static void shouldKeepRegistersAndRecordLikeTheOrdinaryHooks(void) {
  for (enum perdure_clock clock = PERDURE_CLOCK_TSC; clock <= PERDURE_CLOCK_COUNTER; clock++) {
    struct run run;
    perform(&run, "callInAllWays", (struct options){.ring_slots = 64, .clock = clock});
    EXITED_WELL(run);
    CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_LOAD, 11));
    CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_LOAD, 16));
    CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_STORE, 12));
    CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_FLUSH, 13));
    CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_FENCE, 14));
    CHECK_EQUAL(1, count_at(&run, PERDURE_EV_LOAD, 21));
    CHECK_EQUAL(0, count_at(&run, PERDURE_EV_LOAD, 22));
    CHECK_EQUAL(1, count_at(&run, PERDURE_EV_FENCE, 23));
    CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_REGION_START, 15));
    CHECK_EQUAL(0, count_at(&run, PERDURE_EV_REGION_START, 24));
    CHECK_EQUAL(PERDURE_WINDOW_BASE + 24, event_of(&run, PERDURE_EV_REGION_START, 0)->addr);
    CHECK_EQUAL(PERDURE_REGION_STORE, event_of(&run, PERDURE_EV_REGION_START, 0)->info);
    CHECK_EQUAL(16, event_of(&run, PERDURE_EV_REGION_START, 0)->value);
    uint64_t before = 0;
    for (size_t i = 0, loads = 0; i < run.events.count; i++) {
      const struct event *e = &run.events.all[i];
      CHECK(e->time >= before);
      before = e->time;
      if (e->kind == PERDURE_EV_LOAD && e->site == 11) {
        CHECK_EQUAL(PERDURE_WINDOW_BASE, e->addr);
        CHECK_EQUAL(0x123456789abcdef0, e->value);
        CHECK_EQUAL(PERDURE_INFO(8, PERDURE_ACQUIRE_ORDER), e->info);
        CHECK_EQUAL(loads++ > 0, e->stack != 0);
      }
    }
    CHECK_EQUAL(PERDURE_FLUSH_CLWB, event_of(&run, PERDURE_EV_FLUSH, 0)->info);
    CHECK_EQUAL(1, event_of(&run, PERDURE_EV_FLUSH, 0)->value);
    done(&run);
  }
}

static void sampleOneInTen(struct recording *r) { r->header->sample = 10; }

static void shouldSampleLoadsLikeTheOrdinaryHooks(void) {
  struct run run;
  perform(&run, "callInAllWays", (struct options){.before = sampleOneInTen});
  EXITED_WELL(run);
  size_t loads = count_at(&run, PERDURE_EV_LOAD, 11);
  CHECK(loads > 20 && loads < 500);
  CHECK_EQUAL(1003, count_at(&run, PERDURE_EV_STORE, 12));
  done(&run);
}

const struct named TESTS[] = {
    {"shouldSampleLoadsLikeTheOrdinaryHooks", shouldSampleLoadsLikeTheOrdinaryHooks},
    {"shouldKeepRegistersAndRecordLikeTheOrdinaryHooks", shouldKeepRegistersAndRecordLikeTheOrdinaryHooks},
    {"shouldStampALoadNowAndThen", shouldStampALoadNowAndThen},
    {"shouldStampAStoreBehindAnotherNowAndThen", shouldStampAStoreBehindAnotherNowAndThen},
    {NULL, NULL},
};
const struct named ACTS[] = {{"callInAllWays", callInAllWays}, {"loadInARow", loadInARow}, {"storeInARow", storeInARow}, {NULL, NULL}};
