/* The contract between the runtime inside a target and the Java side: events, rings, and the recording file that holds them.
 * dev.perdure.trace.format.Layout mirrors every number here; a test compares the two. docs/formats/trace.md explains them. */
#ifndef PERDURE_TRACE_H
#define PERDURE_TRACE_H
#include <stdint.h>

#define PERDURE_MAGIC UINT64_C(0x3145525544524550) /* "PERDURE1", little endian */
#define PERDURE_VERSION 1u

/* ---- events -------------------------------------------------------------------------------------------------------
 *
 *   0        8                                16          20          24         32
 *   | time   | addr:48 kind:7 lap:1 info:8    | site      | stack     | value    |
 *
 * A slot is committed when its second word carries the lap bit of the pass through the ring (1 in the first pass, 0 in
 * the second, ...): that word is written last. Events with a payload take further slots right behind, never across the
 * end of the ring (PAD slots fill it up); payload slots are raw bytes and are committed with their head. Before the reader
 * gives them back, it puts the lap bit of the pass into the second word of payload slots: raw bytes must not look committed
 * in the next pass. */
struct perdure_slot {
  uint64_t time;
  uint64_t where;
  uint32_t site;
  uint32_t stack;
  uint64_t value;
};

/* A load or an acquisition that the thread's next event follows soon may have this as its time: it counts as made at the time of the
 * next event in the ring that has one. So many unsettled events (these, and acquisitions that were stamped early) come in a row. */
#define PERDURE_UNTIMED 0u
#define PERDURE_MOST_UNSETTLED 16u

/* A store, a flush or a release that comes directly behind the thread's last event may have this as its time: it counts as made with that
 * one. */
#define PERDURE_TIME_OF_LAST UINT64_MAX

#define PERDURE_ADDR_BITS 48
#define PERDURE_KIND_SHIFT 48
#define PERDURE_KIND_MASK 0x7fu
#define PERDURE_LAP_SHIFT 55
#define PERDURE_INFO_SHIFT 56
#define PERDURE_BLOCK_MAX 4096u /* bytes in one block store; longer ones are several events */

/* info of loads, stores and read-modify-writes: size in bytes (1 to 16) in the low five bits, memory order above */
enum perdure_order {
  PERDURE_PLAIN = 0,
  PERDURE_RELAXED = 1,
  PERDURE_ACQUIRE_ORDER = 2,
  PERDURE_RELEASE_ORDER = 3,
  PERDURE_ACQ_REL = 4,
  PERDURE_SEQ_CST = 5,
  PERDURE_VOLATILE = 6
};
#define PERDURE_INFO(size, order) ((uint32_t)(size) | ((uint32_t)(order) << 5))

enum perdure_kind {
  PERDURE_EV_PAD = 0,
  /* memory; addr, site, stack */
  PERDURE_EV_LOAD = 1,           /* value: the bytes read (sizes to 8) */
  PERDURE_EV_STORE = 2,          /* value: the bytes written (sizes to 8) */
  PERDURE_EV_STORE_NT = 3,       /* non-temporal */
  PERDURE_EV_RMW = 4,            /* value: enum perdure_rmw; payload slot: old[16], new[16] */
  PERDURE_EV_CAS_FAILED = 5,     /* a locked compare-and-swap that did not store; value: the bytes read */
  PERDURE_EV_LOAD_BLOCK = 6,     /* value: length; info 0 */
  PERDURE_EV_STORE_BLOCK = 7,    /* value: length (to PERDURE_BLOCK_MAX); payload: the bytes */
  PERDURE_EV_STORE_NT_BLOCK = 8, /* same, non-temporal */
  PERDURE_EV_FLUSH = 10,         /* info: enum perdure_flush; value: length (1 for one line) */
  PERDURE_EV_FENCE = 11,         /* info: enum perdure_fence */
  PERDURE_EV_PERSIST = 12,       /* a range made persistent by a call; info: enum perdure_persist; value: length */
  /* synchronisation; addr: the object */
  PERDURE_EV_ACQUIRE = 16, /* info: PERDURE_LOCK_* */
  PERDURE_EV_RELEASE = 17,
  PERDURE_EV_BARRIER_INIT = 18, /* value: count */
  PERDURE_EV_BARRIER_ENTER = 19,
  PERDURE_EV_BARRIER_LEAVE = 20,
  PERDURE_EV_SEM_POST = 21,
  PERDURE_EV_SEM_WAIT = 22,
  PERDURE_EV_ONCE_DONE = 23,
  PERDURE_EV_ONCE_PASS = 24,
  PERDURE_EV_COND_SIGNAL = 25,
  PERDURE_EV_SYNC_DESTROY = 26, /* the object is destroyed or initialised anew */
  PERDURE_EV_DELAY = 27,        /* the schedule holds the thread up, from now on; value: nanoseconds */
  /* threads and processes */
  PERDURE_EV_THREAD_BEGIN = 32, /* first event of a thread in its ring; value: thread number; addr: creator's number, or 0; info 1: first thread of a process */
  PERDURE_EV_THREAD_CREATE = 33, /* value: number of the new thread (before it begins) */
  PERDURE_EV_THREAD_END = 34,
  PERDURE_EV_THREAD_JOIN = 35, /* value: number of the joined thread; info PERDURE_JOINED_PROCESS: the first thread of a child that was waited for */
  PERDURE_EV_THREAD_DETACH = 36,
  PERDURE_EV_PROCESS_BEGIN = 37, /* value: index in the process table */
  PERDURE_EV_PROCESS_FORK = 38,  /* value: thread number of the child's first thread; seen in the parent */
  PERDURE_EV_PROCESS_EXEC = 39,
  PERDURE_EV_PROCESS_EXIT = 40,
  /* mappings and allocation */
  PERDURE_EV_MAP = 44, /* addr; value: length; payload slot: u64 index of the file's first entry, u64 offset, u64 prot, u64 flags */
  PERDURE_EV_UNMAP = 45,
  PERDURE_EV_PM_RANGE = 46, /* PERDURE_PM(addr, value) */
  PERDURE_EV_ALLOC = 48,    /* value: size; info 1: zeroed and persistent */
  PERDURE_EV_FREE = 49,     /* value: size, or 0 where it is not known */
  PERDURE_EV_TX_BEGIN = 50,
  PERDURE_EV_TX_COMMIT = 51,
  PERDURE_EV_TX_ABORT = 52,
  PERDURE_EV_TX_END = 53,
  PERDURE_EV_TX_ADD = 54, /* addr; value: length */
  PERDURE_EV_LIBRARY_ENTER = 55, /* events up to the matching leave are the library's own doing */
  PERDURE_EV_LIBRARY_LEAVE = 56,
  /* marks of perdure.h */
  PERDURE_EV_ROI_BEGIN = 64,
  PERDURE_EV_ROI_END = 65,
  PERDURE_EV_RELAXED_BEGIN = 66,
  PERDURE_EV_RELAXED_END = 67,
  PERDURE_EV_FAILURE_POINT = 68,
  PERDURE_EV_SKIP_FAILURES_BEGIN = 69,
  PERDURE_EV_SKIP_FAILURES_END = 70,
  PERDURE_EV_SKIP_DETECTION_BEGIN = 71,
  PERDURE_EV_SKIP_DETECTION_END = 72,
  PERDURE_EV_DETECTION_COMPLETE = 73,
  PERDURE_EV_COMMIT_VAR = 74,   /* addr; value: size */
  PERDURE_EV_COMMIT_RANGE = 75, /* addr; value: size; payload slot: u64 address of the commit variable */
  PERDURE_EV_SYNC_VAR = 76,     /* addr; value: size; payload slot: u64 initial value */
  /* flow of data, in programs that were instrumented for it */
  PERDURE_EV_LABEL = 80,       /* addr: what the thread is about to load; value: a label that it contains, or 0, << 32 | the new label of the load */
  PERDURE_EV_LABEL_UNION = 81, /* addr: a new label; value: one part << 32 | the other */
  PERDURE_EV_EFFECT = 82,      /* addr: what is about to be written, info: enum perdure_effect; value: label of the address << 32 | label of
                                * the content; payload slot: u64 length */
  /* regions, in programs that were instrumented for them */
  PERDURE_EV_REGION_START = 84 /* the thread is bound to make an access; addr: of what, info: enum perdure_region; value: length */
};

enum perdure_rmw { PERDURE_RMW_OTHER = 0, PERDURE_RMW_EXCHANGE = 1, PERDURE_RMW_CAS = 2 };
enum perdure_flush { PERDURE_FLUSH_CLWB = 0, PERDURE_FLUSH_CLFLUSHOPT = 1, PERDURE_FLUSH_CLFLUSH = 2, PERDURE_FLUSH_LIBRARY = 3 };
enum perdure_fence {
  PERDURE_FENCE_SFENCE = 0,
  PERDURE_FENCE_MFENCE = 1,
  PERDURE_FENCE_LOCKED = 2,       /* a locked instruction on ordinary memory that is not an event of its own */
  PERDURE_FENCE_LIBRARY_DRAIN = 3,
  PERDURE_FENCE_ACQUIRE = 4, /* language fences that are no instruction on x86: order only */
  PERDURE_FENCE_RELEASE = 5,
  PERDURE_FENCE_ACQ_REL = 6
};
enum perdure_region { PERDURE_REGION_LOAD = 0, PERDURE_REGION_STORE = 1 };
enum perdure_effect { PERDURE_EFFECT_STORE = 0, PERDURE_EFFECT_FILE = 1 };
/* What gives a part of a file its place: a mapping, system calls that read or write it, or one that has emptied the file. */
enum perdure_map { PERDURE_MAP_MEMORY = 0, PERDURE_MAP_FILE = 1, PERDURE_MAP_EMPTIED = 2 };
enum perdure_persist { PERDURE_PERSIST_LIBRARY = 0, PERDURE_PERSIST_MSYNC = 1, PERDURE_PERSIST_FSYNC = 2, PERDURE_PERSIST_DEEP = 3 };

#define PERDURE_JOINED_PROCESS 1u
#define PERDURE_LOCK_SHARED 1u
#define PERDURE_LOCK_NO_FENCE 2u /* this operation executes no locked instruction */
#define PERDURE_LOCK_TRY 4u
#define PERDURE_LOCK_OWNER_DIED 8u /* of a robust mutex: its end gave the lock free */
/* Hardware transactions appear one after the other, like sections under one lock: this is its address. */
#define PERDURE_TRANSACTION_LOCK UINT64_C(8)
/* Only in rings: an acquisition that was stamped when it was perhaps not yet complete. It counts as made at the time of the next event in
 * the ring, or PERDURE_EARLY_TICKS after its stamp, whichever comes first. No processor begins to read the clock so much too early. */
#define PERDURE_LOCK_EARLY 16u
#define PERDURE_EARLY_TICKS (UINT64_C(1) << 17)

/* ---- the recording: one sparse file, mapped by the Java side and by every process of the target ---------------------- */
#define PERDURE_PAGE 4096u
#define PERDURE_MAX_RINGS 4096u
#define PERDURE_MAX_MODULES 1024u
#define PERDURE_MAX_PROCESSES 4096u
#define PERDURE_MAX_FILES 512u
#define PERDURE_SCHEDULE_SLOTS 512u
#define PERDURE_PATHS_BYTES 65536u

/* PM files are mapped from here on; one byte for each 4 GiB block of the address space says whether PM lies in it. */
#define PERDURE_WINDOW_BASE UINT64_C(0x200000000000)
#define PERDURE_WINDOW_END UINT64_C(0x300000000000)
#define PERDURE_WINDOW_ALIGN UINT64_C(0x40000000) /* 1 GiB between files */
#define PERDURE_BLOCK_SHIFT 32
#define PERDURE_BLOCKS 32768u

#define PERDURE_FLAG_LIBRARY_CHANGES 1u /* header flags: record what persistent memory libraries write */
#define PERDURE_FLAG_LIBRARY_LOADS 2u   /* record plain loads inside persistent memory libraries */

enum perdure_clock { PERDURE_CLOCK_TSC = 0, PERDURE_CLOCK_COUNTER = 1 };

struct perdure_header {
  uint64_t magic;
  uint32_t version;
  uint32_t clock;       /* enum perdure_clock */
  uint32_t reader_pid;  /* who drains the rings; producers stop waiting when it is gone */
  uint32_t ring_slots;  /* a power of two */
  uint32_t stack_slots; /* a power of two */
  uint32_t flags;
  uint64_t schedule_offset, paths_offset, files_offset, modules_offset, processes_offset, stacks_offset, rings_offset, data_offset;
  uint64_t seed;
  uint64_t sample; /* of the loads of each thread, one of so many is recorded; 0 and 1: all */
  uint8_t reserved[4096 - 12 * 8 - 16];
};

/* The second page: counters that several processes change, each on a cache line of its own. */
struct perdure_counters {
  _Alignas(64) uint64_t clock;
  _Alignas(64) uint32_t next_thread; /* thread numbers from 1 */
  _Alignas(64) uint32_t rings;       /* rings ever handed out */
  _Alignas(64) uint32_t next_site;   /* site numbers from 1; a module takes as many as it has */
  _Alignas(64) uint32_t modules;
  _Alignas(64) uint32_t processes;
  _Alignas(64) uint32_t files;
  _Alignas(64) uint64_t window_next;
  _Alignas(64) uint64_t lost;          /* events that could not be recorded (no ring, no space) */
  _Alignas(64) uint64_t stacks_full;   /* events whose stack found no room in the table */
  _Alignas(64) uint32_t table_lock;    /* pid of the process that changes the tables, or 0 */
  _Alignas(64) uint32_t stop;          /* the Java side asks recording to stop */
  _Alignas(64) uint32_t next_label;    /* labels handed out to threads, in blocks */
};

/* One ring's descriptor. The producer owns `claimed`, the reader owns `consumed`. */
struct perdure_ring {
  _Alignas(64) uint64_t claimed;  /* slots handed out; a slot is readable when it carries its lap bit */
  _Alignas(64) uint64_t consumed;
  _Alignas(64) uint32_t state;    /* enum perdure_ring_state */
  uint32_t pid;
  uint32_t tid;                   /* the system's thread id */
  uint32_t thread;                /* Perdure's thread number */
  uint64_t waits;                 /* times the producer had to wait for room */
};
enum perdure_ring_state { PERDURE_RING_UNUSED = 0, PERDURE_RING_LIVE = 1, PERDURE_RING_FREE = 2 };

struct perdure_file {
  uint64_t dev, ino, addr, length;
  char path[480];
};

struct perdure_module {
  uint32_t base, count; /* its sites have the numbers base .. base+count-1 */
  uint32_t pid, ready;  /* ready is written last */
  uint8_t id[16];       /* hash of the site table */
  char path[480];
};

enum perdure_process_flag {
  PERDURE_PROCESS_INSTRUMENTED = 1, /* has a module built by perdure cc */
  PERDURE_PROCESS_MAPPED_PM = 2,
  PERDURE_PROCESS_EXECED = 4, /* replaced itself by another program */
  PERDURE_PROCESS_ENDED = 8,  /* came to its end by exit or return from main */
  PERDURE_PROCESS_MAP_FAILED = 16
};
struct perdure_process {
  uint32_t pid, parent, flags, ready;
  char exe[496];
};

/* Interned call stacks: an open-addressed table; the number of a stack is its slot plus one. */
struct perdure_stack {
  uint64_t key; /* parent stack << 32 | call site; 0 is empty */
};

/* The schedule: what to do when a site is reached, before its store, flush, fence or release and after its load or acquire.
 * Open-addressed: a site's entry is in slot site % PERDURE_SCHEDULE_SLOTS or, up to the first empty one, behind it. The Java
 * side changes it while the target runs. A release whose site has no entry sleeps for release_nanoseconds. SIGNAL adds 1 to its channel, WAIT waits while its channel is 0. */
enum perdure_action { PERDURE_ACTION_NONE = 0, PERDURE_ACTION_DELAY = 1, PERDURE_ACTION_WAIT = 2, PERDURE_ACTION_SIGNAL = 3 };
struct perdure_schedule_entry {
  uint32_t site;        /* 0: empty */
  uint32_t action;      /* enum perdure_action */
  uint32_t probability; /* of 2^32 - 1 */
  uint32_t channel;     /* WAIT, SIGNAL: index into channels */
  uint64_t nanoseconds; /* DELAY: how long; WAIT: at most */
  uint64_t reached;     /* times the action was taken */
};
#define PERDURE_HALF_ASLEEP 0x7fffffff /* half of the living threads, but at least one */
struct perdure_schedule {
  _Alignas(64) uint32_t active; /* 0: nothing is to be done anywhere, which costs one load and a branch */
  uint32_t most_asleep;         /* so many threads may be in a DELAY at a time, further ones go on; 0: any number; PERDURE_HALF_ASLEEP */
  uint64_t release_nanoseconds; /* DELAY before every release that has no entry of its own; 0: none */
  _Alignas(64) uint32_t asleep;
  uint32_t living; /* threads that have begun and not ended */
  _Alignas(64) uint32_t channels[16];
  struct perdure_schedule_entry entries[PERDURE_SCHEDULE_SLOTS];
};

#define PERDURE_ENV_RECORDING "PERDURE_RECORDING" /* path of the recording; without it the runtime does nothing */

#ifdef __cplusplus
static_assert(sizeof(struct perdure_slot) == 32, "slot");
#else
_Static_assert(sizeof(struct perdure_slot) == 32, "slot");
_Static_assert(sizeof(struct perdure_header) == 4096, "header");
_Static_assert(sizeof(struct perdure_counters) <= 4096, "counters");
_Static_assert(sizeof(struct perdure_ring) == 192, "ring");
_Static_assert(sizeof(struct perdure_file) == 512, "file");
_Static_assert(sizeof(struct perdure_module) == 512, "module");
_Static_assert(sizeof(struct perdure_process) == 512, "process");
#endif
#endif
