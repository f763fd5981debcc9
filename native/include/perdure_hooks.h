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
 * Initial-exec TLS. The low 32 bits of an entry are the site; the upper 32 bits belong to the runtime and must be written as 0.
 * PERDURE_CALL_FOLLOWED is added to the site of a call behind which the thread soon comes to another event, on every way. */
#define PERDURE_CALL_FOLLOWED (UINT32_C(1) << 31)
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
/* The same for callers that keep their values in registers: these preserve every register but the vector ones and r11, and must not be
 * bound lazily. Likewise quick_region_start, and quick_flush and quick_fence below. */
#if defined(__has_attribute) && __has_attribute(preserve_most)
#define PERDURE_KEEPS_REGISTERS __attribute__((preserve_most))
#else
#define PERDURE_KEEPS_REGISTERS
#endif
/* The thread is bound to load or store a range of PM (enum perdure_region), and acquires nothing before it does. */
void __perdure_region_start(const void *addr, uint64_t length, uint32_t region, uint32_t site);
PERDURE_KEEPS_REGISTERS void __perdure_quick_region_start(const void *addr, uint64_t length, uint32_t region, uint32_t site);
PERDURE_KEEPS_REGISTERS void __perdure_quick_load(const void *addr, uint64_t value, uint32_t info, uint32_t site);
/* Every way from the load soon leads to another event of the thread. */
PERDURE_KEEPS_REGISTERS void __perdure_quick_load_followed(const void *addr, uint64_t value, uint32_t info, uint32_t site);
PERDURE_KEEPS_REGISTERS void __perdure_quick_store(void *addr, uint64_t value, uint32_t info, uint32_t site);
/* On every way to the store, the thread has just had an event if this is one. It may then have the time of that one; of so many stores, flushes
 * and releases that may, one is stamped. */
#define PERDURE_STAMP_ONE_OF 16u
PERDURE_KEEPS_REGISTERS void __perdure_quick_store_preceded(void *addr, uint64_t value, uint32_t info, uint32_t site);
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
PERDURE_KEEPS_REGISTERS void __perdure_quick_flush(const void *addr, uint64_t length, uint32_t flush, uint32_t site); /* length: 1 */
PERDURE_KEEPS_REGISTERS void __perdure_quick_flush_preceded(const void *addr, uint64_t length, uint32_t flush, uint32_t site);
PERDURE_KEEPS_REGISTERS void __perdure_quick_fence(const void *none, uint64_t zero, uint32_t fence, uint32_t site);  /* null, 0 */

/* Hardware transactions: before each xbegin, behind one that has begun (not where it aborted), before xend. */
void __perdure_transaction_ahead(void);
void __perdure_transaction_begun(uint32_t site);
void __perdure_transaction_end(uint32_t site);

/* Inside assembly statements whose text computes addresses or has loops: see native/src/inside.c. */
enum perdure_inside {
  PERDURE_INSIDE_LOAD = 0,
  PERDURE_INSIDE_STORE_AHEAD = 1, /* its value is on the stack */
  PERDURE_INSIDE_STORE = 2,       /* it was made */
  PERDURE_INSIDE_FLUSH = 3,
  PERDURE_INSIDE_FENCE = 4,
  PERDURE_INSIDE_RMW_BEGIN = 5,
  PERDURE_INSIDE_RMW_END = 6,
  PERDURE_INSIDE_STRING_BEGIN = 7,
  PERDURE_INSIDE_STRING_END = 8,
};
void __perdure_inside(void);

/* Functions that the project's configuration names (sync, allocators, flush), called around them by instrumented callers. */
void __perdure_named_acquire(void *lock, uint32_t flags, uint32_t site); /* PERDURE_LOCK_*; after a success */
void __perdure_named_release(void *lock, uint32_t flags, uint32_t site);
void __perdure_named_alloc(void *addr, size_t size, uint32_t zeroed, uint32_t site);
void __perdure_named_free(void *addr, uint32_t site);
void __perdure_named_flush(const void *addr, size_t length, uint32_t site);
void __perdure_named_fence(uint32_t site);
void __perdure_named_persist(const void *addr, size_t length, uint32_t site);
/* The thread that the caller creates between the two goes by the name, or by the word that is stored where the name points. */
void __perdure_named_create_begin(void);
void __perdure_named_create_end(uint64_t name);
void __perdure_named_join_begin(uint64_t name);
void __perdure_named_join_end(uint32_t site);

/* ---- flow of data ----
 *
 * Code that is instrumented for it carries a label beside each value: 0, or the number of a set of loads of PM. Each byte of
 * memory has a label, too: __perdure_shadow[addr >> 20] is the address of the labels of a MiB, or null while all are 0. */
#define PERDURE_SHADOW_SHIFT 20
extern uint32_t **__perdure_shadow;
#define PERDURE_LABELLED_ARGUMENTS 64
#define PERDURE_CLASS_REGISTER 0u /* integers and pointers */
#define PERDURE_CLASS_VECTOR 1u   /* floating-point numbers */
#define PERDURE_CLASS_STACK 2u    /* eight bytes on the stack */
#define PERDURE_CLASS_LONG 3u     /* sixteen */
/* How labels pass a call: the caller writes those of the arguments and the callee's address, so that a callee which somebody
 * else calls does not take them for its own; the callee writes that of the result. */
struct perdure_label_local {
  uint32_t result;
  uint32_t classes; /* of variable arguments, two bits each (PERDURE_CLASS_*) */
  const void *callee;
  uint32_t arguments[PERDURE_LABELLED_ARGUMENTS];
};
extern _Thread_local struct perdure_label_local __perdure_labels __attribute__((tls_model("initial-exec")));

void __perdure_labels_begin(void);
/* What a load of PM that is about to be made will return; pointer: the label of its address. */
uint32_t __perdure_label_load(const void *addr, size_t length, uint32_t pointer, uint32_t site);
/* The label of a range of any memory; the same, and the range is written. */
uint32_t __perdure_label_read(const void *addr, size_t length);
void __perdure_label_write(void *addr, size_t length, uint32_t label);
uint32_t __perdure_label_union(uint32_t a, uint32_t b);
/* PM is about to be written; afterwards, it was. */
void __perdure_label_store(void *addr, size_t length, uint32_t content, uint32_t pointer, uint32_t site);
void __perdure_label_stored(uint32_t site);
/* A range is about to be copied, filled, printed; to: the label of the address that is written to, from: of the one read. */
void __perdure_label_copy(void *to, const void *from, size_t length, uint32_t to_label, uint32_t from_label, uint32_t site);
void __perdure_label_fill(void *to, size_t length, uint32_t content, uint32_t to_label, uint32_t site);
void __perdure_label_output(int descriptor, const void *from, size_t length, uint32_t content, uint32_t site);
/* A string is about to be read: its label, and its length with the final zero. */
uint32_t __perdure_label_string(const char *text, uint32_t pointer, uint32_t site);
size_t __perdure_string_length(const char *text);
/* Variable arguments: at the beginning of the function that takes them, and behind va_start. */
void __perdure_label_listed(uint32_t entered, uint32_t fixed);
void __perdure_label_list(const void *started);
/* The label of an argument of a format with that of the text it points to; of all that a va_list holds; what a scan writes for an
 * argument; a text that was allocated for its writer. */
uint32_t __perdure_label_formatted(const char *format, uint32_t index, const char *value, uint32_t label, uint32_t site);
uint32_t __perdure_label_format_list(const char *format, const void *given, uint32_t site);
void __perdure_label_scanned(const char *format, uint32_t index, void *to, uint32_t content, uint32_t to_label, uint32_t site);
void __perdure_label_new_text(char **text, int length, uint32_t content, uint32_t site);
/* A range that is about to be sorted; one that is written in parts. */
void __perdure_label_mix(void *range, size_t length);
struct iovec;
struct msghdr;
void __perdure_label_outputs(int descriptor, const struct iovec *parts, uint64_t count, uint32_t label, uint32_t site);
void __perdure_label_message(int descriptor, const struct msghdr *message, uint32_t label, uint32_t site);
/* A byte for each branch that was taken, by a hash of its ends. */
extern uint8_t *__perdure_coverage;
/* The descriptor of a stdio stream. */
int __perdure_stream_descriptor(void *stream);

/* The macros of perdure.h: kind is the number of the event (PERDURE_EV_*). */
void __perdure_mark(uint32_t kind, const void *addr, uint64_t size, uint64_t extra);

#ifdef __cplusplus
}
#endif
#endif
