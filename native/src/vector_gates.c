/* The gates for vectors, of which a mask selects elements, and for movdir64b. */
#include "gate_accesses.h"

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
