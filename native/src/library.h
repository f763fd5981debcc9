/* Calls of the persistent memory libraries. Between LIBRARY_ENTER and LIBRARY_LEAVE events are the library's doing. Calls
 * that are one flush, fence, copy or lock of the program itself are recorded as such, and what happens inside is not. */
#ifndef PERDURE_LIBRARY_H
#define PERDURE_LIBRARY_H
#include "pm.h"

#define LIBPMEM "libpmem.so.1"
#define LIBPMEM2 "libpmem2.so.1"
#define LIBPMEMOBJ "libpmemobj.so.1"

/* Whether it is the program that calls: not a library, and not one of our own wrappers. */
bool called_by_user(void *frame);
#define BY_USER called_by_user(__builtin_frame_address(0))

/* Around a call into a library: enters unless the thread is inside already. */
bool library_enter(void *frame);
void library_leave(bool *entered);
/* The rest of the block is a library call; it also ends by exceptions and cancellation. */
#define INSIDE_LIBRARY                                                                                                                     \
  __attribute__((cleanup(library_leave), unused)) bool library_entered = library_enter(__builtin_frame_address(0))

/* An event at the place of the library call that has just returned. */
static inline void emit_after_call(uint32_t kind) {
  const struct library_call *call = &perdure_self.library_call;
  record(STAMP_AFTER, kind, 0, 0, 0, call->site, call->stack);
}

/* A library calls back user code. */
uint32_t library_suspend(void);
void library_resume(uint32_t *depth);
#define OUTSIDE_LIBRARY __attribute__((cleanup(library_resume), unused)) uint32_t library_depth = library_suspend()

/* The rest of the block records nothing from interposed functions. */
static inline uint32_t quiet_begin(void) {
  uint32_t before = perdure_self.quiet;
  perdure_self.quiet = 1;
  return before;
}
static inline void quiet_end(uint32_t *before) { perdure_self.quiet = *before; }
#define QUIETLY __attribute__((cleanup(quiet_end), unused)) uint32_t quiet_before = quiet_begin()

/* Tells the transaction of the thread that its library was left by a jump. */
void transaction_jumped(void);

/* How persistent what a copying call has written is afterwards. */
enum copy_strength { COPY_DIRTY, COPY_PENDING, COPY_PERSISTED };
#define PMEM_F_MEM_NODRAIN (1u << 0)
#define PMEM_F_MEM_NOFLUSH (1u << 5)
static inline enum copy_strength copy_strength(unsigned flags) {
  if ((flags & PMEM_F_MEM_NOFLUSH) != 0) {
    return COPY_DIRTY;
  }
  return (flags & PMEM_F_MEM_NODRAIN) != 0 ? COPY_PENDING : COPY_PERSISTED;
}
void copy_begins(void *to, const void *from, size_t length, enum copy_strength strength);
void fill_begins(void *to, int byte, size_t length, enum copy_strength strength);
/* from is null for a fill. */
void copy_ends(void *to, const void *from, size_t length, enum copy_strength strength);

/* A range made persistent, which takes a fence: it covers whatever else the thread had flushed. */
void emit_persist(enum stamp when, uint32_t how, const void *addr, size_t length);
void emit_flush(const void *addr, size_t length);
void emit_drain(void);

#endif
