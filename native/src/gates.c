#include "gates.h"
#include "bytes.h"
#include "gate_frame.h"
#include "callers.h"
#include "late_patches.h"
#include "pm.h"
#include "string_instructions.h"
#include "system.h"
#include "touched_words.h"
#include <cpuid.h>
#include <sys/mman.h>

#define ADDRESS stack[0]
#define CELL stack[2]
#define CELL_TIME stack[3]
#define ZERO_FLAG (UINT64_C(1) << 14)

enum { VALUE_IN_MEMORY = 0xff, VALUE_CONSTANT = 0xfe, VALUE_ON_STACK = 0xfd, STACK_POINTER = 4, FRAME_POINTER = 5 };
enum { STORE_UPDATES = 1, STORE_NONTEMPORAL = 2, STORE_ATOMIC = 4 };
enum { ATOMIC_OTHER = 0, ATOMIC_EXCHANGE = 1, ATOMIC_CAS = 2, ATOMIC_EXCHANGE_ADD = 3 };

/* Words of the stack that are in use when a gate for an access is called: red zone and four more. */
#define STACK_WORDS_OF_GATE (128 / 8 + 4)

static bool opened;
static uint32_t state_bytes; /* what xsave writes */

static inline uint32_t size_of(const struct gate_frame *frame) {
  uint32_t size = told(frame, TOLD_DESCRIPTION) & 0xffff;
  return likely(size != 0) ? size : state_bytes;
}
static inline uint32_t register_of(const struct gate_frame *frame) { return told(frame, TOLD_DESCRIPTION) >> 16 & 0xff; }
static inline uint32_t flags_of(const struct gate_frame *frame) { return told(frame, TOLD_DESCRIPTION) >> 24; }

/* Plain accesses of touched words are to be seen from the time on when there is persistent memory: before that, nothing that could be
 * reported depends on them, and programs without it are not slowed down. */
static bool pm_exists;

static void mark_blocks(uint64_t start, uint64_t end, unsigned char mark) {
  uint64_t first = (start > GATES_NEAR ? start - GATES_NEAR : 0) >> GATES_BLOCK_SHIFT;
  for (uint64_t block = first; block <= (end - 1 + GATES_NEAR) >> GATES_BLOCK_SHIFT && block < GATES_BLOCKS; block++) {
    __atomic_or_fetch((unsigned char *)GATES_BLOCK_MAP + block, mark, __ATOMIC_RELEASE);
  }
}

static void watch_word(uint64_t addr) {
  __atomic_store_n((unsigned char *)GATES_FILTER + (addr >> 3 & 0xffff), 1, __ATOMIC_RELAXED);
  mark_blocks(addr, addr + 8, GATES_TOUCHED);
}

void gates_watch_word(uint64_t addr) {
  if (opened && __atomic_load_n(&pm_exists, __ATOMIC_SEQ_CST)) {
    watch_word(addr);
  }
}

void gates_watch_pm(uint64_t start, uint64_t end) {
  if (!opened) {
    return;
  }
  mark_blocks(start, end, GATES_PM);
  if (!__atomic_exchange_n(&pm_exists, true, __ATOMIC_SEQ_CST)) {
    touched_words_each(watch_word);
    late_patches_make();
  }
}

/* The order of a plain access: one of a word that locked instructions have touched takes part in synchronisation, and on
 * this machine every load acquires and every store releases. */
static inline uint32_t order_of(uint64_t addr, uint32_t order) { return touched_words_has(addr) ? order : PERDURE_PLAIN; }

static inline bool wanted(uint64_t addr, uint32_t size) {
  return watching() && (pm_is((const void *)addr, size) || touched_words_has(addr));
}

/* Loads of touched words take part in synchronisation: none of them is left out. */
static inline bool load_wanted(uint64_t addr, uint32_t size) {
  struct perdure_self *self = &perdure_self;
  return wanted(addr, size) && ((!loads_are_trusted(self) && !leave_out_load(self, addr)) || touched_words_has(addr));
}

/* Whether an access is an event, and nothing else has to be looked at: no library, sample, schedule or synchronisation. */
static inline bool is_usual(const struct perdure_self *self, uint64_t addr) {
  uint64_t block = addr >> PERDURE_BLOCK_SHIFT;
  return likely(perdure_recording && (self->quiet | self->library) == 0 && perdure_sample <= 1 && block < PERDURE_BLOCKS &&
                __perdure_pm_map[block] == 1 && !touched_words_may_have(addr) &&
                __atomic_load_n(&perdure_schedule->active, __ATOMIC_RELAXED) == 0);
}

static inline bool is_word(uint32_t size) { return size <= 8 && (size & (size - 1)) == 0; }

static inline uint64_t cut(uint64_t value, uint32_t size) { return size >= 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1); }

static inline uint64_t look(uint64_t addr, uint32_t size) {
  switch (size) {
  case 1:
    return *(volatile uint8_t *)addr;
  case 2:
    return *(volatile uint16_t *)addr;
  case 4:
    return *(volatile uint32_t *)addr;
  default:
    return *(volatile uint64_t *)addr;
  }
}

static inline uint64_t register_value(const struct gate_frame *frame, uint32_t number) {
  return number == STACK_POINTER ? (uint64_t)(frame->stack + STACK_WORDS_OF_GATE) : frame->registers[number];
}

/* The calls that led to the access; the red zone and `words` more of the stack are ours. */
static inline __attribute__((always_inline)) uint32_t stack_above(const struct gate_frame *frame, int words) {
  uint32_t bits = told(frame, TOLD_FRAME);
  struct frame_shape shape = {(uint16_t)bits, (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
  return callers_of_site(shape, (uint64_t)(frame->stack + 128 / 8 + words), frame->registers[FRAME_POINTER]);
}
static inline __attribute__((always_inline)) uint32_t stack_of(const struct gate_frame *frame) { return stack_above(frame, 4); }

static inline __attribute__((always_inline)) void loaded(struct gate_frame *frame, uint64_t value) {
  uint64_t addr = frame->ADDRESS;
  uint32_t size = size_of(frame), site = site_of(frame);
  if (is_word(size)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD, PERDURE_INFO(size, order_of(addr, PERDURE_ACQUIRE_ORDER)), addr, value, site,
           stack_of(frame));
  } else {
    record(STAMP_AFTER, PERDURE_EV_LOAD_BLOCK, 0, addr, size, site, stack_of(frame));
  }
  act_at(site);
}

static inline uint64_t loaded_value(const struct gate_frame *frame) {
  uint32_t size = size_of(frame), number = register_of(frame);
  return !is_word(size) ? 0 : number == VALUE_IN_MEMORY ? look(frame->ADDRESS, size) : cut(frame->registers[number], size);
}

void perdure_gate_load(struct gate_frame *frame) {
  if (is_usual(&perdure_self, frame->ADDRESS) || load_wanted(frame->ADDRESS, size_of(frame))) {
    loaded(frame, loaded_value(frame));
  }
}

/* Behind the load of a word the thread soon comes to another event: it needs no stamp, unless it takes part in synchronisation. */
void perdure_gate_load_followed(struct gate_frame *frame) {
  struct perdure_self *self = &perdure_self;
  uint64_t addr = frame->ADDRESS;
  if (likely(is_usual(self, addr) && self->unsettled < PERDURE_MOST_UNSETTLED)) {
    record_untimed(PERDURE_EV_LOAD, PERDURE_INFO(size_of(frame), PERDURE_PLAIN), addr, loaded_value(frame), site_of(frame), stack_of(frame));
  } else {
    perdure_gate_load(frame);
  }
}

void perdure_gate_load_now(struct gate_frame *frame) {
  if (load_wanted(frame->ADDRESS, size_of(frame))) {
    loaded(frame, is_word(size_of(frame)) ? look(frame->ADDRESS, size_of(frame)) : 0);
  }
}

static inline uint32_t store_kind(const struct gate_frame *frame) {
  return (flags_of(frame) & STORE_NONTEMPORAL) != 0 ? PERDURE_EV_STORE_NT : PERDURE_EV_STORE;
}

void perdure_gate_store(struct gate_frame *frame) {
  uint64_t addr = frame->ADDRESS;
  uint32_t size = size_of(frame), site = site_of(frame), number = register_of(frame);
  if (is_usual(&perdure_self, addr) || wanted(addr, size)) {
    uint64_t value = number == VALUE_CONSTANT   ? (uint64_t)(int64_t)(int32_t)told(frame, TOLD_CONSTANT)
                     : number == VALUE_ON_STACK ? frame->stack[STACK_WORDS_OF_GATE]
                                                : register_value(frame, number);
    uint32_t info = PERDURE_INFO(size, order_of(addr, PERDURE_RELEASE_ORDER));
    act_before(site, order_releases(info));
    record(STAMP_BEFORE, store_kind(frame), info, addr, cut(value, size), site, stack_of(frame));
  }
}

/* A store whose bytes are not known yet: its slots are claimed and its time is taken before, they are filled after. */
void perdure_gate_store_begin(struct gate_frame *frame) {
  struct perdure_self *self = &perdure_self;
  uint64_t addr = frame->ADDRESS, position;
  uint32_t size = size_of(frame);
  frame->CELL = 0;
  if (!wanted(addr, size)) {
    return;
  }
  if ((flags_of(frame) & STORE_UPDATES) != 0 && load_wanted(addr, size)) {
    if (is_word(size) && is_usual(self, addr) && self->unsettled < PERDURE_MOST_UNSETTLED) {
      record_untimed(PERDURE_EV_LOAD, PERDURE_INFO(size, PERDURE_PLAIN), addr, look(addr, size), site_of(frame), stack_of(frame));
    } else {
      loaded(frame, is_word(size) ? look(addr, size) : 0);
    }
  }
  act_at(site_of(frame));
  note_order(self, store_kind(frame), 0);
  if (ring_claim_block(self, &position, is_word(size) ? 1 : 1 + (size + 31) / 32)) {
    frame->CELL = position + 1;
    frame->CELL_TIME = clock_now(STAMP_BEFORE);
  }
}

void perdure_gate_store_end(struct gate_frame *frame) {
  struct perdure_self *self = &perdure_self;
  uint64_t addr = frame->ADDRESS, position = frame->CELL - 1;
  uint32_t size = size_of(frame), site = site_of(frame);
  if (frame->CELL == 0 || self->ring == &perdure_no_ring) {
    return;
  }
  if (is_word(size)) {
    ring_fill(self, position, frame->CELL_TIME, store_kind(frame), PERDURE_INFO(size, order_of(addr, PERDURE_RELEASE_ORDER)), addr,
              look(addr, size), site, stack_of(frame));
  } else {
    uint32_t kind = (flags_of(frame) & STORE_NONTEMPORAL) != 0 ? PERDURE_EV_STORE_NT_BLOCK : PERDURE_EV_STORE_BLOCK;
    copy_bytes(&self->slots[(position & self->mask) + 1], (const void *)addr, size);
    ring_fill(self, position, frame->CELL_TIME, kind, 0, addr, size, site, stack_of(frame));
  }
}

void perdure_gate_flush(struct gate_frame *frame) {
  if (watching()) {
    uint32_t stack = stack_of(frame);
    show_stack(stack);
    __perdure_flush((const void *)frame->ADDRESS, flags_of(frame), site_of(frame));
    hide_stack(stack);
  }
}

void perdure_gate_fence(struct gate_frame *frame) {
  if (watching()) {
    uint32_t stack = stack_above(frame, 0);
    show_stack(stack);
    __perdure_fence(flags_of(frame), site_of(frame));
    hide_stack(stack);
  }
}

static inline uint32_t atomic_info(const struct gate_frame *frame) { return PERDURE_INFO(size_of(frame), PERDURE_SEQ_CST); }

void perdure_gate_atomic_begin(struct gate_frame *frame) {
  frame->CELL = watching();
  if (frame->CELL) {
    __perdure_rmw_begin((void *)frame->ADDRESS, atomic_info(frame), site_of(frame));
  }
}

static void compared(struct gate_frame *frame) {
  uint32_t size = size_of(frame), number = register_of(frame);
  bool pair = number == VALUE_IN_MEMORY, stored = (frame->flags & ZERO_FLAG) != 0;
  const uint64_t *r = frame->registers;
  uint64_t old[2] = {cut(r[0], size), 0}, new[2] = {0, 0};
  if (!pair) {
    new[0] = cut(r[number], size);
  } else if (size == 16) {
    old[1] = r[2];
    new[0] = r[3];
    new[1] = r[1];
  } else {
    old[0] = (uint64_t)(uint32_t)r[2] << 32 | (uint32_t)r[0];
    new[0] = (uint64_t)(uint32_t)r[1] << 32 | (uint32_t)r[3];
  }
  __perdure_rmw_end((void *)frame->ADDRESS, old, new, PERDURE_RMW_CAS, stored, atomic_info(frame), site_of(frame));
}

void perdure_gate_atomic_end(struct gate_frame *frame) {
  if (!frame->CELL) {
    return;
  }
  uint64_t addr = frame->ADDRESS;
  uint32_t size = size_of(frame), number = register_of(frame), how = flags_of(frame);
  uint32_t stack = stack_of(frame);
  show_stack(stack);
  if (how == ATOMIC_CAS) {
    compared(frame);
  } else if (number != VALUE_IN_MEMORY && (how == ATOMIC_EXCHANGE || how == ATOMIC_EXCHANGE_ADD)) {
    __perdure_rmw_end8((void *)addr, cut(frame->registers[number], size), look(addr, size),
                       how == ATOMIC_EXCHANGE ? PERDURE_RMW_EXCHANGE : PERDURE_RMW_OTHER, 1, atomic_info(frame), site_of(frame));
  } else {
    __perdure_rmw_end_unknown((void *)addr, how == ATOMIC_EXCHANGE ? PERDURE_RMW_EXCHANGE : PERDURE_RMW_OTHER, atomic_info(frame),
                              site_of(frame));
  }
  hide_stack(stack);
}

void perdure_gate_region_start(struct gate_frame *frame) {
  uint32_t region = flags_of(frame), size = size_of(frame);
  if (watching() && (region != PERDURE_REGION_LOAD || !loads_are_trusted(&perdure_self)) && pm_is((const void *)frame->ADDRESS, size)) {
    uint32_t stack = stack_of(frame);
    show_stack(stack);
    __perdure_region_start((const void *)frame->ADDRESS, size, region, site_of(frame));
    hide_stack(stack);
  }
}

void perdure_gate_string_begin(struct gate_frame *frame) {
  const uint64_t *r = frame->registers;
  uint64_t count = flags_of(frame) != 0 ? r[RCX] : 1, length = count * size_of(frame);
  frame->stack[0] = r[RCX];
  frame->stack[1] = r[RSI];
  frame->stack[2] = r[RDI];
  if (!watching() || length == 0 || !pm_is((const void *)r[RDI], length)) {
    return;
  }
  uint32_t stack = stack_of(frame);
  show_stack(stack);
  string_stores(r, register_of(frame), size_of(frame), count, site_of(frame));
  hide_stack(stack);
}

void perdure_gate_string_end(struct gate_frame *frame) {
  uint64_t count = flags_of(frame) != 0 ? frame->stack[0] - frame->registers[RCX] : 1, length = count * size_of(frame);
  if (!watching() || length == 0 || loads_are_trusted(&perdure_self)) {
    return;
  }
  uint64_t from = frame->stack[1], to = frame->stack[2];
  uint32_t stack = pm_possible((const void *)from, length) || pm_possible((const void *)to, length) ? stack_of(frame) : 0;
  show_stack(stack);
  string_loaded(from, to, register_of(frame), length, site_of(frame));
  hide_stack(stack);
}

/* A bit string begins at the operand, and the bit may be anywhere: its word is what is accessed. */
static uint64_t word_of_bit(const struct gate_frame *frame) {
  uint32_t size = size_of(frame);
  int64_t bit = (int64_t)(frame->registers[register_of(frame)] << (64 - 8 * size)) >> (64 - 8 * size);
  return frame->ADDRESS + (uint64_t)(bit >> (__builtin_ctz(size) + 3)) * size;
}

void perdure_gate_bit_begin(struct gate_frame *frame) {
  frame->ADDRESS = word_of_bit(frame);
  if ((flags_of(frame) & STORE_ATOMIC) != 0) {
    perdure_gate_atomic_begin(frame);
  } else if ((flags_of(frame) & STORE_UPDATES) != 0) {
    perdure_gate_store_begin(frame);
  }
}

void perdure_gate_bit_end(struct gate_frame *frame) {
  if ((flags_of(frame) & STORE_ATOMIC) != 0) {
    perdure_gate_atomic_end(frame);
  } else if ((flags_of(frame) & STORE_UPDATES) != 0) {
    perdure_gate_store_end(frame);
  } else {
    perdure_gate_load_now(frame);
  }
}

enum { RBX = 3 };

static void loaded_word(const struct gate_frame *frame, uint64_t addr, uint32_t size, int stack_words) {
  if (load_wanted(addr, size)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD, PERDURE_INFO(size, order_of(addr, PERDURE_ACQUIRE_ORDER)), addr, look(addr, size), site_of(frame),
           stack_above(frame, stack_words));
    act_at(site_of(frame));
  }
}

/* xlat has replaced al: what it was stands on the stack. */
void perdure_gate_translate(struct gate_frame *frame) {
  loaded_word(frame, frame->registers[RBX] + (frame->stack[0] & 0xff), 1, 4);
}

/* Above the four words of other gates stand the vectors of indices, data and mask. */
#define VECTOR_STACK_WORDS (4 + 160 / 8)
struct vector_access {
  uint32_t element, elements, index, scale, flags;
  const unsigned char *indices, *data;
  uint64_t active; /* a bit for each element that the mask selects */
};
#define VECTOR_SCALE 3u
#define VECTOR_NONTEMPORAL 0x10u
#define VECTOR_MASKS_BY_BITS 0x20u
#define VECTOR_SIDE_BY_SIDE 0x40u
#define VECTOR_REPEATED 0x80u

static inline uint64_t lowest_bits(uint32_t number) { return number >= 64 ? UINT64_MAX : (UINT64_C(1) << number) - 1; }

static uint64_t selected_by_signs(const unsigned char *mask, uint32_t element, uint32_t elements) {
  uint64_t active = 0;
  for (uint32_t i = 0; i < elements; i++) {
    active |= (uint64_t)(mask[(i + 1) * element - 1] >> 7) << i;
  }
  return active;
}

/* A repeated element is there for several bits. */
static uint64_t selected_by_bits(uint64_t mask, uint32_t flags, uint32_t elements, uint32_t bits) {
  if ((flags & VECTOR_REPEATED) != 0) {
    mask &= lowest_bits(bits);
    for (uint32_t i = elements; i < bits; i += elements) {
      mask |= mask >> i;
    }
  }
  mask &= lowest_bits(elements);
  return (flags & VECTOR_SIDE_BY_SIDE) != 0 ? lowest_bits((uint32_t)__builtin_popcountll(mask)) : mask;
}

static uint64_t element_value(const unsigned char *from, uint32_t size) {
  uint64_t value = 0;
  __builtin_memcpy(&value, from, size);
  return value;
}

static struct vector_access vector_of(const struct gate_frame *frame) {
  uint32_t told_of = told(frame, TOLD_DESCRIPTION), flags = told_of >> 24;
  uint32_t element = told_of & 0xff, elements = told_of >> 8 & 0xff, other = told_of >> 16 & 0xff;
  const unsigned char *vectors = (const unsigned char *)(frame->stack + 4), *mask = vectors + 128;
  return (struct vector_access){
      .element = element,
      .elements = elements,
      .index = (flags & VECTOR_REPEATED) != 0 ? 0 : other,
      .scale = flags & VECTOR_SCALE,
      .flags = flags,
      .indices = vectors,
      .data = vectors + 64,
      .active = (flags & VECTOR_MASKS_BY_BITS) != 0 ? selected_by_bits(element_value(mask, 8), flags, elements, other)
                                                    : selected_by_signs(mask, element, elements),
  };
}

/* The address of an element; false if the mask leaves it out. */
static bool element_at(const struct vector_access *v, uint64_t base, uint32_t i, uint64_t *addr) {
  if ((v->active >> i & 1) == 0) {
    return false;
  }
  uint64_t distance = v->index == 0   ? (uint64_t)i * v->element
                      : v->index == 4 ? (uint64_t)(int64_t)(int32_t)element_value(v->indices + 4 * i, 4) << v->scale
                                      : element_value(v->indices + 8 * i, 8) << v->scale;
  *addr = base + distance;
  return true;
}

void perdure_gate_vector_load(struct gate_frame *frame) {
  struct vector_access v = vector_of(frame);
  uint64_t addr;
  for (uint32_t i = 0; i < v.elements; i++) {
    if (element_at(&v, frame->ADDRESS, i, &addr)) {
      loaded_word(frame, addr, v.element, VECTOR_STACK_WORDS);
    }
  }
}

void perdure_gate_vector_store(struct gate_frame *frame) {
  struct vector_access v = vector_of(frame);
  uint32_t kind = (v.flags & VECTOR_NONTEMPORAL) != 0 ? PERDURE_EV_STORE_NT : PERDURE_EV_STORE;
  uint64_t addr;
  for (uint32_t i = 0; i < v.elements; i++) {
    if (element_at(&v, frame->ADDRESS, i, &addr) && wanted(addr, v.element)) {
      act_at(site_of(frame));
      record(STAMP_BEFORE, kind, PERDURE_INFO(v.element, order_of(addr, PERDURE_RELEASE_ORDER)), addr,
             element_value(v.data + i * v.element, v.element), site_of(frame), stack_above(frame, VECTOR_STACK_WORDS));
    }
  }
}

/* movdir64b: the address is that of the source. */
void perdure_gate_direct_store(struct gate_frame *frame) {
  uint64_t from = frame->ADDRESS, to = register_value(frame, register_of(frame));
  uint32_t size = size_of(frame), site = site_of(frame);
  if (load_wanted(from, size)) {
    loaded(frame, 0);
  }
  if (wanted(to, size)) {
    act_at(site);
    record_store_bytes(PERDURE_EV_STORE_NT_BLOCK, to, (const void *)from, 0, size, site, stack_of(frame));
  }
}

GATE(load);
GATE(load_followed);
GATE(load_now);
GATE(store);
GATE(store_begin);
GATE(store_end);
GATE(flush);
GATE(fence);
GATE(atomic_begin);
GATE(atomic_end);
GATE(string_begin);
GATE(string_end);
GATE(bit_begin);
GATE(bit_end);
GATE(translate);
GATE(vector_load);
GATE(vector_store);
GATE(direct_store);
GATE(named_begin);
GATE(named_end);
GATE(region_start);

bool gates_open(void) {
  if (opened) {
    return true;
  }
  /* The order is that of dev.perdure.binary.plan.Gate. */
  void (*const gates[])(void) = {quick_gate_load, quick_gate_load_followed, gate_load_now, quick_gate_store, quick_gate_store_preceded,
                                 gate_store_begin, gate_store_end, quick_gate_flush, quick_gate_flush_preceded, quick_gate_fence, gate_atomic_begin, gate_atomic_end, gate_string_begin, gate_string_end, gate_bit_begin,
                                 gate_bit_end, gate_translate, gate_vector_load, gate_vector_store, gate_direct_store, gate_named_begin,
                                 gate_named_end, gate_region_start};
  long area = SYSTEM6(SYS_mmap, GATES_AREA, GATES_AREA_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if ((uint64_t)area != GATES_AREA) {
    return false;
  }
  for (unsigned i = 0; i < sizeof gates / sizeof gates[0]; i++) {
    ((uint64_t *)GATES_TABLE)[i] = (uint64_t)gates[i];
  }
  uint32_t largest, features, unused;
  __cpuid_count(0xd, 0, unused, state_bytes, largest, features);
  opened = true;
  for (uint64_t block = 0; block < PERDURE_BLOCKS; block++) {
    if (__perdure_pm_map[block] != 0) {
      gates_watch_pm(block << PERDURE_BLOCK_SHIFT, (block + 1) << PERDURE_BLOCK_SHIFT);
    }
  }
  return true;
}
