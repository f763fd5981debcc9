/* The macros of perdure.h, and functions that the project's configuration names. */
#include "pm.h"

EXPORT void __perdure_mark(uint32_t kind, const void *addr, uint64_t size, uint64_t extra) {
  if (!perdure_recording) {
    return;
  }
  switch (kind) {
  case PERDURE_EV_PM_RANGE:
    pm_add((uint64_t)addr, size);
    perdure_process_flag(PERDURE_PROCESS_MAPPED_PM);
    emit(STAMP_AFTER, kind, 0, addr, size);
    break;
  case PERDURE_EV_COMMIT_RANGE:
  case PERDURE_EV_SYNC_VAR: {
    uint64_t payload[4] = {extra, 0, 0, 0};
    emit_with_payload(STAMP_BEFORE, kind, 0, addr, size, payload, sizeof payload);
    break;
  }
  case PERDURE_EV_ACQUIRE:
    emit(STAMP_AFTER, kind, (uint32_t)extra, addr, size);
    break;
  default:
    emit(STAMP_BEFORE, kind, (uint32_t)extra, addr, size);
  }
}

static void at_site(enum stamp when, uint32_t kind, uint32_t info, const void *addr, uint64_t value, uint32_t site) {
  if (perdure_recording) {
    if (when == STAMP_BEFORE) {
      act_at(site);
    }
    record(when, kind, info, (uint64_t)addr, value, site, stack_number(&perdure_self));
    if (when == STAMP_AFTER) {
      act_at(site);
    }
  }
}

EXPORT void __perdure_named_acquire(void *lock, uint32_t flags, uint32_t site) {
  at_site(STAMP_AFTER, PERDURE_EV_ACQUIRE, flags, lock, 0, site);
}

EXPORT void __perdure_named_release(void *lock, uint32_t flags, uint32_t site) {
  at_site(STAMP_BEFORE, PERDURE_EV_RELEASE, flags, lock, 0, site);
}

EXPORT void __perdure_named_alloc(void *addr, size_t size, uint32_t zeroed, uint32_t site) {
  at_site(STAMP_AFTER, PERDURE_EV_ALLOC, zeroed != 0, addr, size, site);
}

EXPORT void __perdure_named_free(void *addr, uint32_t site) { at_site(STAMP_BEFORE, PERDURE_EV_FREE, 0, addr, 0, site); }

EXPORT void __perdure_named_flush(const void *addr, size_t length, uint32_t site) {
  at_site(STAMP_BEFORE, PERDURE_EV_FLUSH, PERDURE_FLUSH_LIBRARY, addr, length, site);
}

EXPORT void __perdure_named_fence(uint32_t site) { at_site(STAMP_BEFORE, PERDURE_EV_FENCE, PERDURE_FENCE_LIBRARY_DRAIN, NULL, 0, site); }

EXPORT void __perdure_named_persist(const void *addr, size_t length, uint32_t site) {
  at_site(STAMP_BEFORE, PERDURE_EV_PERSIST, PERDURE_PERSIST_LIBRARY, addr, length, site);
}
