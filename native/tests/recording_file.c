#include "recording_file.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STACK_SLOTS 65536u

static uint64_t round_to_page(uint64_t bytes) { return (bytes + PERDURE_PAGE - 1) / PERDURE_PAGE * PERDURE_PAGE; }

static void lay_out(struct perdure_header *h, uint32_t ring_slots) {
  *h = (struct perdure_header){.magic = PERDURE_MAGIC, .version = PERDURE_VERSION, .clock = PERDURE_CLOCK_TSC};
  h->ring_slots = ring_slots;
  h->stack_slots = STACK_SLOTS;
  h->seed = 1;
  h->schedule_offset = 2 * PERDURE_PAGE;
  h->paths_offset = h->schedule_offset + round_to_page(sizeof(struct perdure_schedule));
  h->files_offset = h->paths_offset + PERDURE_PATHS_BYTES;
  h->modules_offset = h->files_offset + PERDURE_MAX_FILES * sizeof(struct perdure_file);
  h->processes_offset = h->modules_offset + PERDURE_MAX_MODULES * sizeof(struct perdure_module);
  h->stacks_offset = h->processes_offset + PERDURE_MAX_PROCESSES * sizeof(struct perdure_process);
  h->rings_offset = h->stacks_offset + STACK_SLOTS * sizeof(struct perdure_stack);
  h->data_offset = round_to_page(h->rings_offset + PERDURE_MAX_RINGS * sizeof(struct perdure_ring));
}

static bool map(struct recording *r, int fd, int sharing) {
  void *base = mmap(NULL, r->size, PROT_READ | PROT_WRITE, sharing | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) {
    return false;
  }
  char *at = base;
  r->header = base;
  r->counters = (struct perdure_counters *)(at + PERDURE_PAGE);
  r->schedule = (struct perdure_schedule *)(at + r->header->schedule_offset);
  r->paths = at + r->header->paths_offset;
  r->files = (struct perdure_file *)(at + r->header->files_offset);
  r->modules = (struct perdure_module *)(at + r->header->modules_offset);
  r->processes = (struct perdure_process *)(at + r->header->processes_offset);
  r->stacks = (struct perdure_stack *)(at + r->header->stacks_offset);
  r->rings = (struct perdure_ring *)(at + r->header->rings_offset);
  r->data = (struct perdure_slot *)(at + r->header->data_offset);
  for (uint32_t i = 0; i < PERDURE_MAX_RINGS; i++) {
    r->position[i] = r->rings[i].consumed;
  }
  return true;
}

bool recording_create(struct recording *r, const char *path, uint32_t ring_slots, const char *const *pm_paths) {
  struct perdure_header head;
  memset(r, 0, sizeof *r);
  snprintf(r->path, sizeof r->path, "%s", path);
  lay_out(&head, ring_slots);
  r->size = head.data_offset + (uint64_t)PERDURE_MAX_RINGS * ring_slots * sizeof(struct perdure_slot);
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool made = fd >= 0 && ftruncate(fd, (off_t)r->size) == 0 && pwrite(fd, &head, sizeof head, 0) == sizeof head && map(r, fd, MAP_SHARED);
  close(fd);
  char *to = made ? r->paths : NULL;
  for (int i = 0; made && pm_paths != NULL && pm_paths[i] != NULL; i++) {
    strcpy(to, pm_paths[i]);
    to += strlen(to) + 1;
  }
  return made;
}

bool recording_open(struct recording *r, const char *path) {
  memset(r, 0, sizeof *r);
  snprintf(r->path, sizeof r->path, "%s", path);
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool opened = fd >= 0 && fstat(fd, &status) == 0 && status.st_size > (off_t)PERDURE_PAGE;
  if (opened) {
    r->size = (size_t)status.st_size;
    opened = map(r, fd, MAP_PRIVATE) && r->header->magic == PERDURE_MAGIC && r->header->version == PERDURE_VERSION;
  }
  close(fd);
  return opened;
}

void recording_close(struct recording *r) {
  munmap(r->header, r->size);
  unlink(r->path);
}

static uint32_t payload_bytes(uint32_t kind, uint64_t value) {
  switch (kind) {
  case PERDURE_EV_RMW:
  case PERDURE_EV_MAP:
  case PERDURE_EV_COMMIT_RANGE:
  case PERDURE_EV_SYNC_VAR:
    return 32;
  case PERDURE_EV_STORE_BLOCK:
  case PERDURE_EV_STORE_NT_BLOCK:
    return (uint32_t)value;
  default:
    return 0;
  }
}

static struct event *append(struct events *events) {
  if (events->count == events->room) {
    events->room = events->room == 0 ? 1024 : 2 * events->room;
    events->all = realloc(events->all, events->room * sizeof(struct event));
  }
  struct event *e = &events->all[events->count++];
  memset(e, 0, sizeof *e);
  return e;
}

/* The second word of slots that are given back must not look committed in the next pass. */
static void blank(struct perdure_slot *slot, uint64_t position, uint64_t slots) {
  slot->where = (((position / slots) & 1) ^ 1) << PERDURE_LAP_SHIFT;
}

static size_t drain_ring(struct recording *r, uint32_t ring, struct events *into, bool skip) {
  uint64_t slots = r->header->ring_slots;
  struct perdure_slot *data = r->data + ring * slots;
  uint64_t begin = r->position[ring], position = begin;
  uint64_t claimed = __atomic_load_n(&r->rings[ring].claimed, __ATOMIC_ACQUIRE);
  uint64_t end = claimed < begin + slots ? claimed : begin + slots;
  while (position < end) {
    struct perdure_slot *slot = &data[position & (slots - 1)];
    uint64_t where = __atomic_load_n(&slot->where, __ATOMIC_ACQUIRE);
    if ((where >> PERDURE_LAP_SHIFT & 1) != (((position / slots) & 1) ^ 1)) {
      if (!skip) {
        break;
      }
      blank(slot, position, slots);
      position++;
      continue;
    }
    uint32_t kind = where >> PERDURE_KIND_SHIFT & PERDURE_KIND_MASK;
    uint32_t bytes = payload_bytes(kind, slot->value);
    if (kind == PERDURE_EV_THREAD_BEGIN) {
      r->thread[ring] = (uint32_t)slot->value;
    }
    if (kind != PERDURE_EV_PAD) {
      struct event *e = append(into);
      e->time = slot->time;
      e->addr = where & ((UINT64_C(1) << PERDURE_ADDR_BITS) - 1);
      e->value = slot->value;
      e->kind = kind;
      e->info = (uint32_t)(where >> PERDURE_INFO_SHIFT);
      e->site = slot->site;
      e->stack = slot->stack;
      e->thread = r->thread[ring];
      e->pid = r->rings[ring].pid;
      e->ring = ring;
      e->order = into->count;
      e->payload_length = bytes;
      if (bytes != 0) {
        e->payload = malloc(bytes);
        memcpy(e->payload, slot + 1, bytes);
      }
    }
    position++;
    for (uint32_t i = 0; i < (bytes + 31) / 32; i++, position++) {
      blank(&data[position & (slots - 1)], position, slots);
    }
  }
  r->position[ring] = position;
  __atomic_store_n(&r->rings[ring].consumed, position, __ATOMIC_RELEASE);
  return position - begin;
}

size_t recording_drain(struct recording *r, struct events *into, bool skip) {
  size_t read = 0;
  uint32_t rings = __atomic_load_n(&r->counters->rings, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < rings && i < PERDURE_MAX_RINGS; i++) {
    read += drain_ring(r, i, into, skip);
  }
  return read;
}

static int by_time(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  if (x->time != y->time) {
    return x->time < y->time ? -1 : 1;
  }
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Gives acquisitions that were stamped early, and events without a stamp, the time at which they count as made. */
static void settle_times(struct events *events) {
  uint64_t next[PERDURE_MAX_RINGS], last[PERDURE_MAX_RINGS];
  for (size_t i = 0; i < events->count; i++) {
    struct event *e = &events->all[i];
    e->with_last = e->time == PERDURE_TIME_OF_LAST;
    if (e->with_last) {
      e->time = last[e->ring];
    }
    last[e->ring] = e->time;
  }
  memset(next, 0xff, sizeof next);
  for (size_t i = events->count; i-- > 0;) {
    struct event *e = &events->all[i];
    if (e->kind == PERDURE_EV_ACQUIRE && (e->info & PERDURE_LOCK_EARLY) != 0) {
      uint64_t latest = e->time + PERDURE_EARLY_TICKS;
      e->time = next[e->ring] < latest ? next[e->ring] : latest;
      e->info &= ~PERDURE_LOCK_EARLY;
      e->early = true;
    } else if (e->time == PERDURE_UNTIMED) {
      e->time = next[e->ring];
      e->untimed = true;
    }
    next[e->ring] = e->time;
  }
}

void events_sort(struct events *events) {
  settle_times(events);
  qsort(events->all, events->count, sizeof(struct event), by_time);
}

void events_free(struct events *events) {
  for (size_t i = 0; i < events->count; i++) {
    free(events->all[i].payload);
  }
  free(events->all);
  memset(events, 0, sizeof *events);
}

static const char *const NAMES[128] = {
    [PERDURE_EV_PAD] = "pad",
    [PERDURE_EV_LOAD] = "load",
    [PERDURE_EV_STORE] = "store",
    [PERDURE_EV_STORE_NT] = "store_nt",
    [PERDURE_EV_RMW] = "rmw",
    [PERDURE_EV_CAS_FAILED] = "cas_failed",
    [PERDURE_EV_LOAD_BLOCK] = "load_block",
    [PERDURE_EV_STORE_BLOCK] = "store_block",
    [PERDURE_EV_STORE_NT_BLOCK] = "store_nt_block",
    [PERDURE_EV_FLUSH] = "flush",
    [PERDURE_EV_FENCE] = "fence",
    [PERDURE_EV_PERSIST] = "persist",
    [PERDURE_EV_ACQUIRE] = "acquire",
    [PERDURE_EV_RELEASE] = "release",
    [PERDURE_EV_BARRIER_INIT] = "barrier_init",
    [PERDURE_EV_BARRIER_ENTER] = "barrier_enter",
    [PERDURE_EV_BARRIER_LEAVE] = "barrier_leave",
    [PERDURE_EV_SEM_POST] = "sem_post",
    [PERDURE_EV_SEM_WAIT] = "sem_wait",
    [PERDURE_EV_ONCE_DONE] = "once_done",
    [PERDURE_EV_ONCE_PASS] = "once_pass",
    [PERDURE_EV_COND_SIGNAL] = "cond_signal",
    [PERDURE_EV_DELAY] = "delay",
    [PERDURE_EV_SYNC_DESTROY] = "sync_destroy",
    [PERDURE_EV_THREAD_BEGIN] = "thread_begin",
    [PERDURE_EV_THREAD_CREATE] = "thread_create",
    [PERDURE_EV_THREAD_END] = "thread_end",
    [PERDURE_EV_THREAD_JOIN] = "thread_join",
    [PERDURE_EV_THREAD_DETACH] = "thread_detach",
    [PERDURE_EV_PROCESS_BEGIN] = "process_begin",
    [PERDURE_EV_PROCESS_FORK] = "process_fork",
    [PERDURE_EV_PROCESS_EXEC] = "process_exec",
    [PERDURE_EV_PROCESS_EXIT] = "process_exit",
    [PERDURE_EV_MAP] = "map",
    [PERDURE_EV_UNMAP] = "unmap",
    [PERDURE_EV_PM_RANGE] = "pm_range",
    [PERDURE_EV_ALLOC] = "alloc",
    [PERDURE_EV_FREE] = "free",
    [PERDURE_EV_TX_BEGIN] = "tx_begin",
    [PERDURE_EV_TX_COMMIT] = "tx_commit",
    [PERDURE_EV_TX_ABORT] = "tx_abort",
    [PERDURE_EV_TX_END] = "tx_end",
    [PERDURE_EV_TX_ADD] = "tx_add",
    [PERDURE_EV_LIBRARY_ENTER] = "library_enter",
    [PERDURE_EV_LIBRARY_LEAVE] = "library_leave",
    [PERDURE_EV_ROI_BEGIN] = "roi_begin",
    [PERDURE_EV_ROI_END] = "roi_end",
    [PERDURE_EV_RELAXED_BEGIN] = "relaxed_begin",
    [PERDURE_EV_RELAXED_END] = "relaxed_end",
    [PERDURE_EV_FAILURE_POINT] = "failure_point",
    [PERDURE_EV_SKIP_FAILURES_BEGIN] = "skip_failures_begin",
    [PERDURE_EV_SKIP_FAILURES_END] = "skip_failures_end",
    [PERDURE_EV_SKIP_DETECTION_BEGIN] = "skip_detection_begin",
    [PERDURE_EV_SKIP_DETECTION_END] = "skip_detection_end",
    [PERDURE_EV_DETECTION_COMPLETE] = "detection_complete",
    [PERDURE_EV_COMMIT_VAR] = "commit_var",
    [PERDURE_EV_COMMIT_RANGE] = "commit_range",
    [PERDURE_EV_SYNC_VAR] = "sync_var",
};

const char *event_name(uint32_t kind) { return kind < 128 && NAMES[kind] != NULL ? NAMES[kind] : "?"; }
