#include "callers.h"
#include "system.h"
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_MODULES 512
#define DEEPEST 24
#define CACHED 1024
#define LARGEST_FRAME (UINT64_C(4) << 20)

bool callers_wanted;
static struct patched_module modules[MOST_MODULES];
static uint32_t module_count;
static uint64_t own_low, own_high;

/* A word of the stack that callers were found by: a return address, or an rbp that a frame is counted from. */
struct clue {
  const uint64_t *at;
  uint64_t value;
};

/* The stack of a call that was found before, by where it returns to and by rsp behind it. It is the same again when every clue is where
 * it was. */
struct known_stack {
  uint64_t place, rsp;
  uint64_t rbp;      /* of the caller, and it tells where the frames are */
  bool depends_on_rbp;
  uint32_t clues;
  uint32_t site;     /* of the call */
  uint32_t callers;  /* the stack below the call */
  uint32_t number;   /* the stack with it */
  uint32_t above;    /* the stack of the instrumented code that called the patched one */
  struct clue clue[2 * DEEPEST];
};
static _Thread_local struct known_stack *known_stacks;
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

/* The site of the call that returns to the address. */
static uint32_t site_of_call(const struct patched_module *m, uint64_t address) {
  uint32_t wanted = (uint32_t)(address - m->module), low = 0, high = m->calls;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (m->return_addresses[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < m->calls && m->return_addresses[low] == wanted ? m->base + m->sites + low : 0;
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

static void add_clue(struct known_stack *stack, const uint64_t *at) { stack->clue[stack->clues++] = (struct clue){at, *at}; }

/* The end of the frame that a row speaks of, or 0. */
static inline uint64_t frame_end(struct frame_shape shape, uint64_t rsp, uint64_t rbp) {
  uint64_t end = (shape.base == FRAME_RSP ? rsp : rbp) + 8 * (uint64_t)shape.offset;
  return shape.base == FRAME_UNKNOWN || end <= rsp || end - rsp > LARGEST_FRAME || end % 8 != 0 ? 0 : end;
}

/* Where the caller's rbp is saved; null: it is still in the register. */
static inline const uint64_t *saved_rbp(struct frame_shape shape, uint64_t end) {
  return shape.saved_rbp != 0 ? (const uint64_t *)end - shape.saved_rbp : NULL;
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
    uint32_t site = m != NULL ? site_of_call(m, *slot) : 0;
    if (site == 0) {
      break;
    }
    sites[depth++] = site;
    address = *slot - 1;
  }
  return depth;
}

static inline bool still_there(const struct known_stack *stack) {
  for (uint32_t i = 0; i < stack->clues; i++) {
    if (*stack->clue[i].at != stack->clue[i].value) {
      return false;
    }
  }
  return true;
}

static struct known_stack *known_stack_of(uint64_t place, uint64_t rsp) {
  if (unlikely(known_stacks == NULL)) {
    long room = SYSTEM6(SYS_mmap, 0, CACHED * sizeof(struct known_stack), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (system_failed(room)) {
      return NULL;
    }
    known_stacks = (struct known_stack *)room;
  }
  uint64_t hash = (place ^ rsp << 17) * UINT64_C(0x9e3779b97f4a7c15);
  return &known_stacks[hash >> 48 & (CACHED - 1)];
}

/* In a program with hooks of its own, patched libraries are called by functions that note their calls themselves. */
static inline uint32_t instrumented_callers(void) {
  struct perdure_self *self = &perdure_self;
  if (likely(self->sp <= self->base)) {
    return 0;
  }
  uint32_t number = (uint32_t)(self->sp[-1] >> 32);
  return number != 0 ? number : stack_intern(self, self->sp);
}

static COLD void learn(struct known_stack *stack, const struct patched_module *m, uint64_t place, uint64_t rsp, uint64_t rbp) {
  uint32_t sites[DEEPEST];
  stack->place = 0;
  stack->clues = 0;
  stack->depends_on_rbp = false;
  uint32_t depth = follow(stack, m, place - 1, rsp, rbp, sites);
  stack->above = instrumented_callers();
  stack->callers = stack->above;
  for (uint32_t i = depth; i > 0; i--) {
    stack->callers = stack_intern_frame(stack->callers, sites[i - 1]);
  }
  stack->site = m != NULL ? site_of_call(m, place) : 0;
  stack->number = stack_intern_frame(stack->callers, stack->site);
  stack->rsp = rsp;
  stack->rbp = rbp;
  stack->place = place;
}

/* A signal handler may interrupt a thread that changes its table: then it finds no stack. */
static inline const struct known_stack *stack_of_call(uint64_t place, uint64_t rsp, uint64_t rbp) {
  struct known_stack *stack = busy ? NULL : known_stack_of(place, rsp);
  if (unlikely(stack == NULL)) {
    return NULL;
  }
  if (unlikely(stack->place != place || stack->rsp != rsp || (stack->depends_on_rbp && stack->rbp != rbp) ||
               stack->above != instrumented_callers() || !still_there(stack))) {
    busy = true;
    learn(stack, module_at(place), place, rsp, rbp);
    busy = false;
  }
  return stack;
}

uint32_t callers_of_site(struct frame_shape shape, uint64_t rsp, uint64_t rbp) {
  uint64_t end = frame_end(shape, rsp, rbp);
  if (unlikely(end == 0)) {
    return instrumented_callers();
  }
  const uint64_t *saved = saved_rbp(shape, end);
  const struct known_stack *stack = stack_of_call(((const uint64_t *)end)[-1], end, saved != NULL ? *saved : rbp);
  return likely(stack != NULL) ? stack->number : 0;
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
  const struct known_stack *stack = stack_of_call(address, rsp, rbp);
  return stack != NULL ? (struct place){.site = stack->site, .stack = stack->callers} : (struct place){.site = 0};
}
