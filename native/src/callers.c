#include "callers.h"
#include "system.h"
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_MODULES 512
#define DEEPEST 24

bool callers_wanted;
static struct patched_module modules[MOST_MODULES];
static uint32_t module_count;
static uint64_t own_low, own_high;

struct known_stack callers_none[KNOWN_STACKS];
const uint64_t perdure_callers_factor = CALLERS_FACTOR;
/* The clues behind the first one of each known stack; one without an address ends them. */
struct more_clues {
  struct clue clue[2 * DEEPEST];
};
_Static_assert(sizeof(struct more_clues) == MORE_CLUES_BYTES, "where quick.h finds them");
static _Thread_local struct more_clues *more_clues;
static _Thread_local bool busy;

static int find_own_code(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    uint64_t low = info->dlpi_addr + h->p_vaddr;
    if (h->p_type == PT_LOAD && (h->p_flags & PF_X) != 0 && (uint64_t)&find_own_code >= low &&
        (uint64_t)&find_own_code < low + h->p_memsz) {
      own_low = low;
      own_high = low + h->p_memsz;
    }
  }
  return 0;
}

void callers_add(const struct patched_module *module) {
  if (own_low == 0) {
    dl_iterate_phdr(find_own_code, NULL);
  }
  if (module_count < MOST_MODULES) {
    modules[module_count] = *module;
    __atomic_store_n(&module_count, module_count + 1, __ATOMIC_RELEASE);
  }
  callers_wanted = true;
}

/* Its tables stay: another thread may look into them at this moment. */
void callers_remove(uint64_t module) {
  for (uint32_t i = 0; i < module_count; i++) {
    if (modules[i].module == module) {
      __atomic_store_n(&modules[i].high, 0, __ATOMIC_RELEASE);
    }
  }
}

unsigned char *callers_return(uint64_t module, uint64_t high, const uint8_t id[16]) {
  for (uint32_t i = 0; i < module_count; i++) {
    if (modules[i].high == 0 && modules[i].module == module && memcmp(modules[i].id, id, 16) == 0) {
      __atomic_store_n(&modules[i].high, high, __ATOMIC_RELEASE);
      return modules[i].copy;
    }
  }
  return NULL;
}

static const struct patched_module *module_at(uint64_t address) {
  uint32_t count = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    if (address >= modules[i].low && address < __atomic_load_n(&modules[i].high, __ATOMIC_ACQUIRE)) {
      return &modules[i];
    }
  }
  return NULL;
}

struct call {
  uint32_t site; /* 0: none is known */
  bool followed;
};

/* The call that returns to the address. */
static struct call call_before(const struct patched_module *m, uint64_t address) {
  uint32_t wanted = (uint32_t)(address - m->module), low = 0, high = m->calls;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (m->returns[middle] >> 1 < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == m->calls || m->returns[low] >> 1 != wanted) {
    return (struct call){0, false};
  }
  return (struct call){m->base + m->sites + low, (m->returns[low] & 1) != 0};
}

static const struct frame_row *row_at(const struct patched_module *m, uint64_t address) {
  uint32_t wanted = (uint32_t)(address - m->module), low = 0, high = m->rows;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (m->frame_rows[middle].address <= wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? NULL : &m->frame_rows[low - 1];
}

static inline struct clue *further_clues(const struct known_stack *stack) { return more_clues[stack - perdure_self.known_stacks].clue; }

static void add_clue(struct known_stack *stack, const uint64_t *at) {
  struct clue *clue = stack->clues == 0 ? &stack->first : &further_clues(stack)[stack->clues - 1];
  *clue = (struct clue){at, *at};
  stack->clues++;
}

/* Follows the callers of a call; the sites of their calls go into `sites`, the nearest first. */
static uint32_t follow(struct known_stack *stack, const struct patched_module *m, uint64_t address, uint64_t rsp, uint64_t rbp,
                       uint32_t sites[DEEPEST]) {
  const uint64_t *rbp_at = NULL;
  uint32_t depth = 0;
  while (m != NULL && depth < DEEPEST) {
    const struct frame_row *row = row_at(m, address);
    uint64_t end = row == NULL ? 0 : frame_end(row->shape, rsp, rbp);
    if (end == 0) {
      break;
    }
    if (row->shape.base == FRAME_RBP && rbp_at == NULL) {
      stack->depends_on_rbp = true;
    } else if (row->shape.base == FRAME_RBP) {
      add_clue(stack, rbp_at);
    }
    const uint64_t *saved = saved_rbp(row->shape, end);
    if (saved != NULL) {
      rbp_at = saved;
      rbp = *saved;
    }
    const uint64_t *slot = (const uint64_t *)end - 1;
    add_clue(stack, slot);
    rsp = end;
    m = module_at(*slot);
    uint32_t site = m != NULL ? call_before(m, *slot).site : 0;
    if (site == 0) {
      break;
    }
    sites[depth++] = site;
    address = *slot - 1;
  }
  return depth;
}

bool callers_further_clues_hold(const struct known_stack *stack) {
  for (const struct clue *clue = further_clues(stack); clue->at != NULL; clue++) {
    if (*clue->at != clue->value) {
      return false;
    }
  }
  return true;
}

#define ROOM_BYTES (KNOWN_BYTES + KNOWN_STACKS * sizeof(struct more_clues))

static bool make_room(void) {
  long room = SYSTEM6(SYS_mmap, 0, ROOM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (system_failed(room)) {
    return false;
  }
  more_clues = (struct more_clues *)((unsigned char *)room + KNOWN_BYTES);
  perdure_self.known_stacks = (struct known_stack *)room;
  return true;
}

void callers_forget(void) {
  struct known_stack *room = perdure_self.known_stacks;
  perdure_self.known_stacks = callers_none;
  perdure_self.last_stack = callers_none;
  if (room != callers_none) {
    SYSTEM(SYS_munmap, room, ROOM_BYTES, 0);
  }
}

/* In a program with hooks of its own, patched libraries are called by functions that note their calls themselves. */
uint32_t callers_above(void) {
  struct perdure_self *self = &perdure_self;
  if (likely(self->sp <= self->base)) {
    return 0;
  }
  uint32_t number = (uint32_t)(self->sp[-1] >> 32);
  return number != 0 ? number : stack_intern(self, self->sp);
}

static COLD void learn(struct known_stack *stack, const struct patched_module *m, uint64_t place, uint64_t rsp, uint64_t rbp) {
  uint32_t sites[DEEPEST];
  perdure_self.last_stack = callers_none;
  stack->place = 0;
  stack->clues = 0;
  stack->depends_on_rbp = false;
  uint32_t depth = follow(stack, m, place - 1, rsp, rbp, sites);
  further_clues(stack)[stack->clues == 0 ? 0 : stack->clues - 1].at = NULL;
  stack->above = callers_above();
  stack->callers = stack->above;
  for (uint32_t i = depth; i > 0; i--) {
    stack->callers = stack_intern_frame(stack->callers, sites[i - 1]);
  }
  struct call call = m != NULL ? call_before(m, place) : (struct call){0, false};
  stack->site = call.site;
  stack->followed = call.followed;
  stack->number = stack_intern_frame(stack->callers, stack->site);
  stack->rsp = rsp;
  stack->rbp = rbp;
  stack->place = place;
}

/* A signal handler may interrupt a thread that changes its table: then it finds no stack. */
COLD const struct known_stack *callers_learn(uint64_t place, uint64_t rsp, uint64_t rbp) {
  if (busy) {
    return callers_none;
  }
  busy = true;
  struct known_stack *stack = callers_none;
  if (perdure_self.known_stacks != callers_none || make_room()) {
    stack = callers_place_of(place, rsp);
    learn(stack, module_at(place), place, rsp, rbp);
  }
  busy = false;
  return stack;
}


struct place callers_of_frame(const uint64_t *frame) {
  while (frame[1] >= own_low && frame[1] < own_high) {
    const uint64_t *next = (const uint64_t *)frame[0];
    if (next <= frame) {
      return (struct place){.site = 0};
    }
    frame = next;
  }
  return callers_of_return(frame[1], (uint64_t)(frame + 2), frame[0]);
}

struct place callers_of_return(uint64_t address, uint64_t rsp, uint64_t rbp) {
  const struct known_stack *stack = callers_of_call(address, rsp, rbp);
  return (struct place){stack->site, stack->callers, stack->followed};
}
