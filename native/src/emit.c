#include "library_changes.h"
#include "pm.h"

void emit(enum stamp when, uint32_t kind, uint32_t info, const void *addr, uint64_t value) {
  struct place place = place_of_caller(&perdure_self);
  if (when == STAMP_BEFORE) {
    act_before(place.site, kind == PERDURE_EV_RELEASE || kind == PERDURE_EV_SEM_POST || kind == PERDURE_EV_ONCE_DONE ||
                               kind == PERDURE_EV_BARRIER_ENTER);
  }
  record(when, kind, info, (uint64_t)addr, value, place.site, place.stack);
  if (when == STAMP_AFTER) {
    act_at(place.site);
  }
}

void emit_with_payload(enum stamp when, uint32_t kind, uint32_t info, const void *addr, uint64_t value, const void *payload,
                       size_t length) {
  struct place place = place_of_caller(&perdure_self);
  record_with_payload(when, kind, info, (uint64_t)addr, value, payload, length, place.site, place.stack);
}

void emit_load(const void *addr, size_t length) {
  if (pm_is(addr, length) && !perdure_self.trusts_loads && !leave_out_load(&perdure_self, (uint64_t)addr)) {
    emit(STAMP_AFTER, PERDURE_EV_LOAD_BLOCK, 0, addr, length);
  }
}

static void emit_stored(uint32_t kind, void *addr, const void *bytes, int fill, size_t length) {
  struct place place = place_of_caller(&perdure_self);
  act_at(place.site);
  record_store_bytes(kind, (uint64_t)addr, bytes, fill, length, place.site, place.stack);
}

static void emit_bytes(uint32_t kind, void *addr, const void *bytes, int fill, size_t length) {
  if (pm_is(addr, length)) {
    library_changes_told(addr, bytes, fill, length);
    emit_stored(kind, addr, bytes, fill, length);
  }
}

/* Nobody sleeps here: others wait to record their changes. */
void emit_change(void *addr, const void *bytes, size_t length) {
  struct place place = place_of_caller(&perdure_self);
  record_store_bytes(PERDURE_EV_STORE_BLOCK, (uint64_t)addr, bytes, 0, length, place.site, place.stack);
}
void emit_store(void *addr, const void *bytes, size_t length) { emit_bytes(PERDURE_EV_STORE_BLOCK, addr, bytes, 0, length); }
void emit_store_nt(void *addr, const void *bytes, size_t length) { emit_bytes(PERDURE_EV_STORE_NT_BLOCK, addr, bytes, 0, length); }
void emit_fill(void *addr, int byte, size_t length) { emit_bytes(PERDURE_EV_STORE_BLOCK, addr, NULL, byte, length); }
void emit_fill_nt(void *addr, int byte, size_t length) { emit_bytes(PERDURE_EV_STORE_NT_BLOCK, addr, NULL, byte, length); }
