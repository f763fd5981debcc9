/* The hooks of instrumented code for memory accesses, flushes and fences. */
#include "explore.h"
#include "pm.h"
#include "real.h"
#include <string.h>

EXPORT unsigned char __perdure_pm_map[PERDURE_BLOCKS];

/* A block marked 1 is the window; in one marked 2 only the listed ranges are PM. */
static inline bool wanted(const void *addr, size_t length) {
  return likely(__perdure_pm_map[(uint64_t)addr >> PERDURE_BLOCK_SHIFT & (PERDURE_BLOCKS - 1)] == 1) || pm_in_ranges((uint64_t)addr, length);
}

EXPORT void __perdure_load(const void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (likely(wanted(addr, info & 31)) && !leave_out_load(&perdure_self, (uint64_t)addr)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
    act_at(site);
  }
}

/* A longer access opens its region itself. */
EXPORT void __perdure_region_start(const void *addr, uint64_t length, uint32_t region, uint32_t site) {
  struct perdure_self *self = &perdure_self;
  if (length != 0 && length <= PERDURE_BLOCK_MAX && likely(wanted(addr, length)) &&
      (region != PERDURE_REGION_LOAD || !leave_out_region(self, (uint64_t)addr))) {
    record(STAMP_AFTER, PERDURE_EV_REGION_START, region, (uint64_t)addr, length, site, stack_number(self));
  }
}

EXPORT void __perdure_store(void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (likely(wanted(addr, info & 31))) {
    act_at(site);
    record(STAMP_BEFORE, PERDURE_EV_STORE, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
  }
}

EXPORT void __perdure_store_nt(void *addr, uint64_t value, uint32_t info, uint32_t site) {
  if (likely(wanted(addr, info & 31))) {
    act_at(site);
    record(STAMP_BEFORE, PERDURE_EV_STORE_NT, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
  }
}

EXPORT void __perdure_load_block(const void *addr, size_t length, uint32_t site) {
  if (pm_is(addr, length) && !leave_out_load(&perdure_self, (uint64_t)addr)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD_BLOCK, 0, (uint64_t)addr, length, site, stack_number(&perdure_self));
    act_at(site);
  }
}

EXPORT void __perdure_store_block(void *addr, const void *bytes, size_t length, uint32_t nontemporal, uint32_t site) {
  if (pm_is(addr, length)) {
    act_at(site);
    record_store_bytes(nontemporal ? PERDURE_EV_STORE_NT_BLOCK : PERDURE_EV_STORE_BLOCK, (uint64_t)addr, bytes, 0, length, site,
                       stack_number(&perdure_self));
  }
}

REAL_VERSION(memcpy, "GLIBC_2.14");
REAL(memmove);
REAL(memset);

static void store_at(void *to, const void *from, int fill, size_t length, uint32_t site) {
  if (pm_is(to, length)) {
    act_at(site);
    record_store_bytes(PERDURE_EV_STORE_BLOCK, (uint64_t)to, from, fill, length, site, stack_number(&perdure_self));
  }
}

EXPORT void __perdure_copy(void *to, const void *from, size_t length, uint32_t site) {
  store_at(to, from, 0, length, site);
  CALL(memcpy)(to, from, length);
  __perdure_load_block(from, length, site);
}

EXPORT void __perdure_move(void *to, const void *from, size_t length, uint32_t site) {
  store_at(to, from, 0, length, site);
  CALL(memmove)(to, from, length);
  __perdure_load_block(from, length, site);
}

EXPORT void __perdure_fill(void *to, int byte, size_t length, uint32_t site) {
  store_at(to, NULL, byte, length, site);
  CALL(memset)(to, byte, length);
}

EXPORT void __perdure_flush(const void *addr, uint32_t flush, uint32_t site) {
  if (likely(wanted((const void *)((uint64_t)addr & ~UINT64_C(63)), 64))) {
    explore_before_flush(addr, 1);
    act_at(site);
    record(STAMP_BEFORE, PERDURE_EV_FLUSH, flush, (uint64_t)addr, 1, site, stack_number(&perdure_self));
  }
}

EXPORT void __perdure_fence(uint32_t fence, uint32_t site) {
  if (perdure_recording) {
    act_at(site);
    record(STAMP_BEFORE, PERDURE_EV_FENCE, fence, 0, 0, site, stack_number(&perdure_self));
  }
}
