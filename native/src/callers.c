#include "callers.h"
#include "system.h"
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_MODULES 512
#define DEEPEST 24
#define CACHED 256
#define LARGEST_FRAME (UINT64_C(4) << 20)

bool callers_wanted;
static struct patched_module modules[MOST_MODULES];
static uint32_t module_count;
static uint64_t own_low, own_high;

/* A stack that was found before. It is the same again when every return address is where it was. */
struct known_stack {
  uint64_t place, rsp, rbp;
  uint32_t depth, number, site;
  uint32_t above; /* the stack of the instrumented code that called the patched one */
  const uint64_t *slots[DEEPEST];
  uint64_t returns[DEEPEST];
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

/* Follows the callers of an instruction; the sites of their calls go into `sites`, the nearest first. */
static void follow(struct known_stack *stack, const struct patched_module *m, uint64_t address, uint64_t rsp, uint64_t rbp,
                   uint32_t sites[DEEPEST]) {
  stack->depth = 0;
  while (m != NULL && stack->depth < DEEPEST) {
    const struct frame_row *row = row_at(m, address);
    if (row == NULL || row->base == FRAME_UNKNOWN) {
      return;
    }
    uint64_t end = (row->base == FRAME_RSP ? rsp : rbp) + 8 * (uint64_t)row->offset;
    if (end <= rsp || end - rsp > LARGEST_FRAME || end % 8 != 0) {
      return;
    }
    const uint64_t *slot = (const uint64_t *)end - 1;
    rbp = row->saved_rbp != 0 ? ((const uint64_t *)end)[-(int)row->saved_rbp] : rbp;
    rsp = end;
    m = module_at(*slot);
    uint32_t site = m != NULL ? site_of_call(m, *slot) : 0;
    if (site == 0) {
      return;
    }
    stack->slots[stack->depth] = slot;
    stack->returns[stack->depth] = *slot;
    sites[stack->depth++] = site;
    address = *slot - 1;
  }
}

static bool still_there(const struct known_stack *stack) {
  for (uint32_t i = 0; i < stack->depth; i++) {
    if (*stack->slots[i] != stack->returns[i]) {
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
  return &known_stacks[hash >> 56 & (CACHED - 1)];
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

static COLD void learn(struct known_stack *stack, const struct patched_module *m, uint64_t address, uint64_t place, uint64_t rsp,
                       uint64_t rbp) {
  uint32_t sites[DEEPEST];
  stack->place = 0;
  follow(stack, m, address, rsp, rbp, sites);
  stack->above = instrumented_callers();
  stack->number = stack->above;
  for (uint32_t i = stack->depth; i > 0; i--) {
    stack->number = stack_intern_frame(stack->number, sites[i - 1]);
  }
  stack->rsp = rsp;
  stack->rbp = rbp;
  stack->place = place;
}

/* A signal handler may interrupt a thread that changes its table: then it finds no stack. */
static inline struct known_stack *find(uint64_t place, uint64_t rsp, uint64_t rbp) {
  struct known_stack *stack = busy ? NULL : known_stack_of(place, rsp);
  return stack != NULL && stack->place == place && stack->rsp == rsp && stack->rbp == rbp && stack->above == instrumented_callers() &&
                 still_there(stack)
             ? stack
             : NULL;
}

uint32_t callers_of_site(uint32_t site, uint64_t rsp, uint64_t rbp) {
  struct known_stack *stack = find(site, rsp, rbp);
  if (likely(stack != NULL)) {
    return stack->number;
  }
  stack = busy ? NULL : known_stack_of(site, rsp);
  uint32_t count = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count && stack != NULL; i++) {
    const struct patched_module *m = &modules[i];
    if (site >= m->base && site - m->base < m->sites) {
      busy = true;
      learn(stack, m, m->module + m->site_addresses[site - m->base], site, rsp, rbp);
      busy = false;
      return stack->number;
    }
  }
  return 0;
}

struct place callers_of_frame(const uint64_t *frame) {
  while (frame[1] >= own_low && frame[1] < own_high) {
    const uint64_t *next = (const uint64_t *)frame[0];
    if (next <= frame) {
      return (struct place){0, 0};
    }
    frame = next;
  }
  return callers_of_return(frame[1], (uint64_t)(frame + 2), frame[0]);
}

struct place callers_of_return(uint64_t address, uint64_t rsp, uint64_t rbp) {
  struct known_stack *stack = find(address, rsp, rbp);
  if (likely(stack != NULL)) {
    return (struct place){stack->site, stack->number};
  }
  const struct patched_module *m = module_at(address);
  stack = m != NULL && !busy ? known_stack_of(address, rsp) : NULL;
  if (stack == NULL) {
    return (struct place){0, 0};
  }
  busy = true;
  learn(stack, m, address - 1, address, rsp, rbp);
  stack->site = site_of_call(m, address);
  busy = false;
  return (struct place){stack->site, stack->number};
}
