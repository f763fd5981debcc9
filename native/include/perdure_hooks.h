/* What instrumented code calls. Both front ends produce calls of these functions and nothing else.
 *
 * A site is a number of the module's own table (from 0) plus the module's base: the module has a hidden 32-bit variable
 * `__perdure_base` that perdure_module_begin fills in, and passes `base + local`.
 *
 * Order (SEMANTICS, ARCHITECTURE decision 4): call store, flush, fence and release hooks BEFORE the instruction, load and
 * acquire hooks AFTER it. A read-modify-write is bracketed by rmw_begin and rmw_end.
 *
 * The PM test is inline, at the call: `__perdure_pm_map[addr >> 32] != 0`. Memory hooks are only called when it holds;
 * atomics (rmw, atomic_load, atomic_store) are called for every address. */
#ifndef PERDURE_HOOKS_H
#define PERDURE_HOOKS_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Non-zero where the 4 GiB block of an address may hold PM: 1, all of the block is the PM window; 2, some of it. */
extern unsigned char __perdure_pm_map[32768];

/* The shadow call stack of the thread: the first field is the address of the next free entry (8 bytes each). A caller does
 *     old = tls.sp;  tls.sp = old + 1;  *old = call site;  call;  tls.sp = old;
 * with `old` read once at the entry of the function, so landing pads and second returns of setjmp only store `old` again.
 * Initial-exec TLS. The low 32 bits of an entry are the site; the upper 32 bits belong to the runtime and must be written as 0. */
struct perdure_thread_local {
  uint64_t *sp;
};
extern _Thread_local struct perdure_thread_local __perdure_tls __attribute__((tls_model("initial-exec")));

/* A module: constructor and destructor of each instrumented executable or shared library call these. */
struct perdure_module_descriptor {
  uint32_t version; /* 1 */
  uint32_t sites;
  uint8_t id[16];   /* hash of the site table in the section .perdure.sites */
  uint32_t *base;   /* filled in */
};
void __perdure_module_begin(const struct perdure_module_descriptor *module);

/* Plain, volatile and atomic accesses of PM, sizes 1, 2, 4, 8; value zero-extended; info = PERDURE_INFO(size, order). */
void __perdure_load(const void *addr, uint64_t value, uint32_t info, uint32_t site);
void __perdure_store(void *addr, uint64_t value, uint32_t info, uint32_t site);
void __perdure_store_nt(void *addr, uint64_t value, uint32_t info, uint32_t site);
/* Any other size. */
void __perdure_load_block(const void *addr, size_t length, uint32_t site);
void __perdure_store_block(void *addr, const void *bytes, size_t length, uint32_t nontemporal, uint32_t site);
/* memcpy, memmove and memset whose ranges may be PM: these do the copy, too. */
void __perdure_copy(void *to, const void *from, size_t length, uint32_t site);
void __perdure_move(void *to, const void *from, size_t length, uint32_t site);
void __perdure_fill(void *to, int byte, size_t length, uint32_t site);

/* Atomic accesses of any memory (order is at least relaxed), and volatile ones of ordinary memory: the latter are recorded
 * only on words that a read-modify-write has touched before. */
void __perdure_atomic_load(const void *addr, uint64_t value, uint32_t info, uint32_t site);
void __perdure_atomic_store(void *addr, uint64_t value, uint32_t info, uint32_t site);
void __perdure_volatile_load(const void *addr, uint64_t value, uint32_t info, uint32_t site);
void __perdure_volatile_store(void *addr, uint64_t value, uint32_t info, uint32_t site);

/* Around every locked read-modify-write (atomicrmw, cmpxchg, inline assembly), any memory, sizes 1 to 16. begin orders the
 * read-modify-writes of one word among each other and stamps the event; end records it. operation: enum perdure_rmw.
 * old and new point to 16 bytes (zero-extended). stored: 0 for a compare-and-swap that failed. */
void __perdure_rmw_begin(void *addr, uint32_t info, uint32_t site);
void __perdure_rmw_end(void *addr, const void *old_value, const void *new_value, uint32_t operation, uint32_t stored, uint32_t info,
                       uint32_t site);
/* Same for sizes to 8, with the values in registers. */
void __perdure_rmw_end8(void *addr, uint64_t old_value, uint64_t new_value, uint32_t operation, uint32_t stored, uint32_t info,
                        uint32_t site);
/* Where the values are not known to the caller (inline assembly): the runtime reads the word before and after. */
void __perdure_rmw_end_unknown(void *addr, uint32_t operation, uint32_t info, uint32_t site);

void __perdure_flush(const void *addr, uint32_t flush, uint32_t site); /* enum perdure_flush; called when the PM test holds */
void __perdure_fence(uint32_t fence, uint32_t site);                   /* enum perdure_fence */

/* Functions that the project's configuration names (sync, allocators, flush), called around them by instrumented callers. */
void __perdure_named_acquire(void *lock, uint32_t flags, uint32_t site); /* PERDURE_LOCK_*; after a success */
void __perdure_named_release(void *lock, uint32_t flags, uint32_t site);
void __perdure_named_alloc(void *addr, size_t size, uint32_t zeroed, uint32_t site);
void __perdure_named_free(void *addr, uint32_t site);
void __perdure_named_flush(const void *addr, size_t length, uint32_t site);
void __perdure_named_fence(uint32_t site);
void __perdure_named_persist(const void *addr, size_t length, uint32_t site);

/* The macros of perdure.h: kind is the number of the event (PERDURE_EV_*). */
void __perdure_mark(uint32_t kind, const void *addr, uint64_t size, uint64_t extra);

#ifdef __cplusplus
}
#endif
#endif
