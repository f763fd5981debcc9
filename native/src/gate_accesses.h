/* What gates for accesses have in common: what they are told, which accesses are events, and how a load becomes one. */
#ifndef PERDURE_GATE_ACCESSES_H
#define PERDURE_GATE_ACCESSES_H
#include "callers.h"
#include "gate_frame.h"
#include "gates.h"
#include "pm.h"
#include "touched_words.h"

#define ADDRESS stack[0]
#define CELL stack[2]
#define CELL_TIME stack[3]

enum { VALUE_IN_MEMORY = 0xff, VALUE_CONSTANT = 0xfe, VALUE_ON_STACK = 0xfd, STACK_POINTER = 4, FRAME_POINTER = 5 };
enum { STORE_UPDATES = 1, STORE_NONTEMPORAL = 2, STORE_ATOMIC = 4 };

/* Words of the stack that are in use when a gate for an access is called: red zone and four more. */
#define STACK_WORDS_OF_GATE (128 / 8 + 4)

static inline uint32_t size_of(const struct gate_frame *frame) {
  uint32_t size = told(frame, TOLD_DESCRIPTION) & 0xffff;
  return likely(size != 0) ? size : gates_state_bytes;
}
static inline uint32_t register_of(const struct gate_frame *frame) { return told(frame, TOLD_DESCRIPTION) >> 16 & 0xff; }
static inline uint32_t flags_of(const struct gate_frame *frame) { return told(frame, TOLD_DESCRIPTION) >> 24; }

/* The order of a plain access: one of a word that locked instructions have touched takes part in synchronisation, and on
 * this machine every load acquires and every store releases. */
static inline uint32_t order_of(uint64_t addr, uint32_t order) { return touched_words_has(addr) ? order : PERDURE_PLAIN; }

static inline bool wanted(uint64_t addr, uint32_t size) {
  return watching() && (pm_is((const void *)addr, size) || touched_words_has(addr));
}

/* Loads of touched words take part in synchronisation: none of them is left out. */
static inline bool load_wanted(uint64_t addr, uint32_t size) {
  struct perdure_self *self = &perdure_self;
  return wanted(addr, size) && ((!self->trusts_loads && !leave_out_load(self, addr)) || touched_words_has(addr));
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

/* A load of a word at an address that the gate has worked out; so many words of the stack are ours. */
static inline void loaded_word(const struct gate_frame *frame, uint64_t addr, uint32_t size, int stack_words) {
  if (load_wanted(addr, size)) {
    record(STAMP_AFTER, PERDURE_EV_LOAD, PERDURE_INFO(size, order_of(addr, PERDURE_ACQUIRE_ORDER)), addr, look(addr, size), site_of(frame),
           stack_above(frame, stack_words));
    act_at(site_of(frame));
  }
}

/* Gates that others build on. */
void perdure_gate_load_now(struct gate_frame *frame);
void perdure_gate_store_begin(struct gate_frame *frame);
void perdure_gate_store_end(struct gate_frame *frame);
void perdure_gate_atomic_begin(struct gate_frame *frame);
void perdure_gate_atomic_end(struct gate_frame *frame);

#endif
