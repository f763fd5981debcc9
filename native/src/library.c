#include "library.h"
#include "explore.h"
#include "library_changes.h"
#include "real.h"
#include <setjmp.h>

/* The library was left by a jump when a call comes from a frame above the one that entered: stacks grow downwards. */
static bool left_by_jump(const struct perdure_self *self, const char *frame) {
  const char *entered = self->library_frame;
  return self->library != 0 && frame >= entered && frame < entered + (8 << 20);
}

static void set_depth(struct perdure_self *self, uint32_t depth) {
  self->library = depth;
  self->trusts_loads = depth != 0 && !perdure_library_loads;
}

static void leave(struct perdure_self *self) {
  library_changes_end();
  set_depth(self, 0);
  if (ring_leave_library(self)) {
    record(STAMP_BEFORE, PERDURE_EV_LIBRARY_LEAVE, 0, 0, 0, self->library_call.site, self->library_call.stack);
  }
}

bool called_by_user(void *frame) {
  struct perdure_self *self = &perdure_self;
  if (left_by_jump(self, frame)) {
    leave(self);
  }
  return watching() && self->library == 0;
}

bool library_enter(void *frame) {
  struct perdure_self *self = &perdure_self;
  if (called_by_user(frame)) {
    self->library_frame = frame;
    ring_enter_library(self, place_of_caller(self));
    library_changes_begin();
  } else if (self->library == 0) {
    return false;
  }
  set_depth(self, self->library + 1);
  return true;
}

void library_leave(bool *entered) {
  struct perdure_self *self = &perdure_self;
  if (*entered && self->library != 0 && --self->library == 0) {
    leave(self);
  }
}

uint32_t library_suspend(void) {
  uint32_t depth = perdure_self.library;
  if (depth != 0) {
    leave(&perdure_self);
  }
  return depth;
}

void library_resume(uint32_t *depth) {
  if (*depth != 0) {
    ring_enter_library(&perdure_self, place_of_caller(&perdure_self));
    library_changes_begin();
    set_depth(&perdure_self, *depth);
  }
}

/* An aborted transaction jumps out of the library. */
static void jumping(void) {
  if (unlikely(perdure_self.library != 0)) {
    leave(&perdure_self);
    transaction_jumped();
  }
}

REAL(longjmp);
EXPORT void longjmp(jmp_buf where, int value) {
  jumping();
  CALL(longjmp)(where, value);
  __builtin_unreachable();
}

REAL(_longjmp);
EXPORT void _longjmp(jmp_buf where, int value) {
  jumping();
  CALL(_longjmp)(where, value);
  __builtin_unreachable();
}

REAL(siglongjmp);
EXPORT void siglongjmp(sigjmp_buf where, int value) {
  jumping();
  CALL(siglongjmp)(where, value);
  __builtin_unreachable();
}

void __longjmp_chk(jmp_buf where, int value) __attribute__((noreturn));
REAL(__longjmp_chk);
EXPORT void __longjmp_chk(jmp_buf where, int value) {
  jumping();
  CALL(__longjmp_chk)(where, value);
  __builtin_unreachable();
}

void emit_persist(enum stamp when, uint32_t how, const void *addr, size_t length) {
  explore_before_flush(addr, length);
  library_changes_record();
  if (pm_is(addr, length)) {
    emit(when, PERDURE_EV_PERSIST, how, addr, length);
    emit(when, PERDURE_EV_FENCE, PERDURE_FENCE_LOCKED, NULL, 0);
  }
}

void emit_flush(const void *addr, size_t length) {
  explore_before_flush(addr, length);
  library_changes_record();
  if (pm_is(addr, length)) {
    emit(STAMP_BEFORE, PERDURE_EV_FLUSH, PERDURE_FLUSH_LIBRARY, addr, length);
  }
}

void emit_drain(void) {
  library_changes_record();
  emit(STAMP_BEFORE, PERDURE_EV_FENCE, PERDURE_FENCE_LIBRARY_DRAIN, NULL, 0);
}

void copy_begins(void *to, const void *from, size_t length, enum copy_strength strength) {
  if (strength == COPY_PENDING) {
    emit_store_nt(to, from, length);
  } else {
    emit_store(to, from, length);
  }
}

void fill_begins(void *to, int byte, size_t length, enum copy_strength strength) {
  if (strength == COPY_PENDING) {
    emit_fill_nt(to, byte, length);
  } else {
    emit_fill(to, byte, length);
  }
}

void copy_ends(void *to, const void *from, size_t length, enum copy_strength strength) {
  if (from != NULL) {
    emit_load(from, length);
  }
  if (strength == COPY_PERSISTED) {
    emit_persist(STAMP_AFTER, PERDURE_PERSIST_LIBRARY, to, length);
  }
}
