/* The gates for loads, stores, flushes, fences and starts of regions. */
#include "bytes.h"
#include "gate_accesses.h"

/* Whether an access is an event, unless it is a trusted load, and nothing else has to be looked at: no sample, schedule or synchronisation. */
static inline bool is_usual(const struct perdure_self *self, uint64_t addr) {
  uint64_t block = addr >> PERDURE_BLOCK_SHIFT;
  return likely(perdure_recording && self->quiet == 0 && perdure_sample <= 1 && block < PERDURE_BLOCKS &&
                __perdure_pm_map[block] == 1 && !touched_words_may_have(addr) &&
                __atomic_load_n(&perdure_schedule->active, __ATOMIC_RELAXED) == 0);
}

static inline bool is_usual_load(const struct perdure_self *self, uint64_t addr) { return !self->trusts_loads && is_usual(self, addr); }

static inline uint64_t loaded_value(const struct gate_frame *frame) {
  uint32_t size = size_of(frame), number = register_of(frame);
  return !is_word(size) ? 0 : number == VALUE_IN_MEMORY ? look(frame->ADDRESS, size) : cut(frame->registers[number], size);
}

void perdure_gate_load(struct gate_frame *frame) {
  if (is_usual_load(&perdure_self, frame->ADDRESS) || load_wanted(frame->ADDRESS, size_of(frame))) {
    loaded(frame, loaded_value(frame));
  }
}

/* Behind the load of a word the thread soon comes to another event: it needs no stamp, unless it takes part in synchronisation. */
void perdure_gate_load_followed(struct gate_frame *frame) {
  struct perdure_self *self = &perdure_self;
  uint64_t addr = frame->ADDRESS;
  if (likely(is_usual_load(self, addr) && self->unsettled < PERDURE_MOST_UNSETTLED)) {
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

void perdure_gate_region_start(struct gate_frame *frame) {
  uint32_t region = flags_of(frame), size = size_of(frame);
  if (watching() && (region != PERDURE_REGION_LOAD || !perdure_self.trusts_loads) && pm_is((const void *)frame->ADDRESS, size)) {
    uint32_t stack = stack_of(frame);
    show_stack(stack);
    __perdure_region_start((const void *)frame->ADDRESS, size, region, site_of(frame));
    hide_stack(stack);
  }
}
