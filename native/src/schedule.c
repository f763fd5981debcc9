/* The schedule page: delays, waits and signals at sites, as the Java side asks for them while the program runs. */
#include "ring.h"
#include "system.h"
#include <limits.h>
#include <linux/futex.h>

uint32_t perdure_random(struct perdure_self *self) {
  uint64_t x = self->random != 0 ? self->random : 1;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  self->random = x;
  return (uint32_t)(x >> 32);
}

static struct perdure_schedule_entry *entry_of(uint32_t site) {
  for (uint32_t i = 0; i < PERDURE_SCHEDULE_SLOTS; i++) {
    struct perdure_schedule_entry *entry = &perdure_schedule->entries[(site + i) & (PERDURE_SCHEDULE_SLOTS - 1)];
    uint32_t found = __atomic_load_n(&entry->site, __ATOMIC_ACQUIRE);
    if (found == site) {
      return entry;
    }
    if (found == 0) {
      return NULL;
    }
  }
  return NULL;
}

static uint32_t *channel_of(const struct perdure_schedule_entry *entry) {
  return &perdure_schedule->channels[entry->channel % (sizeof perdure_schedule->channels / sizeof(uint32_t))];
}

/* Until the channel has been signalled, since the Java side last set it to 0. */
static void wait_for(uint32_t *channel, uint64_t nanoseconds) {
  uint64_t begin = system_nanoseconds();
  while (__atomic_load_n(channel, __ATOMIC_ACQUIRE) == 0) {
    uint64_t passed = system_nanoseconds() - begin;
    if (passed >= nanoseconds) {
      return;
    }
    uint64_t left = nanoseconds - passed;
    struct timespec timeout = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    SYSTEM6(SYS_futex, channel, FUTEX_WAIT, 0, &timeout, 0, 0);
  }
}

/* Threads that sleep keep others from meeting: only so many at a time. */
static void delay(uint64_t nanoseconds, uint32_t site) {
  uint32_t most = __atomic_load_n(&perdure_schedule->most_asleep, __ATOMIC_RELAXED);
  if (most == PERDURE_HALF_ASLEEP) {
    uint32_t living = __atomic_load_n(&perdure_schedule->living, __ATOMIC_RELAXED);
    most = living < 2 ? 1 : living / 2;
  }
  uint32_t asleep = __atomic_add_fetch(&perdure_schedule->asleep, 1, __ATOMIC_RELAXED);
  if (most == 0 || asleep <= most) {
    record(STAMP_BEFORE, PERDURE_EV_DELAY, 0, 0, nanoseconds, site, stack_number(&perdure_self));
    system_sleep((long)nanoseconds);
  }
  __atomic_sub_fetch(&perdure_schedule->asleep, 1, __ATOMIC_RELAXED);
}

COLD void perdure_act(uint32_t site, bool releases) {
  struct perdure_schedule_entry *entry = site != 0 ? entry_of(site) : NULL;
  if (entry == NULL) {
    uint64_t nanoseconds = __atomic_load_n(&perdure_schedule->release_nanoseconds, __ATOMIC_RELAXED);
    if (releases && site != 0 && nanoseconds != 0) {
      delay(nanoseconds, site);
    }
    return;
  }
  uint32_t probability = __atomic_load_n(&entry->probability, __ATOMIC_RELAXED);
  if (probability != UINT32_MAX && perdure_random(&perdure_self) >= probability) {
    return;
  }
  uint32_t action = __atomic_load_n(&entry->action, __ATOMIC_ACQUIRE);
  if (action == PERDURE_ACTION_NONE) {
    return;
  }
  __atomic_add_fetch(&entry->reached, 1, __ATOMIC_RELAXED);
  if (action == PERDURE_ACTION_DELAY) {
    delay(__atomic_load_n(&entry->nanoseconds, __ATOMIC_RELAXED), site);
  } else if (action == PERDURE_ACTION_WAIT) {
    wait_for(channel_of(entry), __atomic_load_n(&entry->nanoseconds, __ATOMIC_RELAXED));
  } else if (action == PERDURE_ACTION_SIGNAL) {
    __atomic_add_fetch(channel_of(entry), 1, __ATOMIC_RELEASE);
    SYSTEM6(SYS_futex, channel_of(entry), FUTEX_WAKE, INT_MAX, 0, 0, 0);
  }
}
