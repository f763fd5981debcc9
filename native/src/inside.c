/* Calls that `perdure cc` puts between the instructions of assembly statements. Each keeps all registers and flags; it is told its
 * address in rdi and the rest by operands of instructions behind it that do nothing: the local site, what it is, the module's base. */
#include "gate_accesses.h"
#include "perdure_hooks.h"
#include "string_instructions.h"

enum { TOLD_BASE = 2 };
/* On the stack: what rdi was, and the value of a store; or what rcx, rsi and rdi were. */
enum { VALUE = 1, COUNT = 0, FROM = 1, TO = 2 };

static inline uint32_t site_in_module(const struct gate_frame *frame) {
  const unsigned char *behind = frame->told + 7 * (TOLD_BASE + 1);
  uint32_t base;
  __builtin_memcpy(&base, behind + (int32_t)told(frame, TOLD_BASE), sizeof base);
  return base + site_of(frame);
}

static void loaded_inside(const void *addr, uint32_t size, uint32_t site) {
  uint32_t info = PERDURE_INFO(size, PERDURE_VOLATILE);
  if (!is_word(size)) {
    __perdure_load_block(addr, size, site);
  } else if (pm_is(addr, size)) {
    __perdure_load(addr, look((uint64_t)addr, size), info, site);
  } else {
    __perdure_volatile_load(addr, look((uint64_t)addr, size), info, site);
  }
}

static void stored_inside(void *addr, uint64_t value, uint32_t size, bool nontemporal, uint32_t site) {
  uint32_t info = PERDURE_INFO(size, nontemporal ? PERDURE_PLAIN : PERDURE_VOLATILE);
  if (!is_word(size)) {
    __perdure_store_block(addr, addr, size, nontemporal, site);
  } else if (nontemporal) {
    __perdure_store_nt(addr, value, info, site);
  } else if (pm_is(addr, size)) {
    __perdure_store(addr, value, info, site);
  } else {
    __perdure_volatile_store(addr, value, info, site);
  }
}

void perdure_gate_inside(struct gate_frame *frame) {
  uint32_t what = told(frame, TOLD_DESCRIPTION), site = site_in_module(frame);
  uint32_t sort = what >> 8 & 0xff, size = what >> 16;
  void *addr = (void *)frame->registers[RDI];
  uint32_t atomic = PERDURE_INFO(size, PERDURE_SEQ_CST);
  bool repeated = (sort & 1) != 0;
  switch (what & 0xff) {
  case PERDURE_INSIDE_LOAD:
    loaded_inside(addr, size, site);
    break;
  case PERDURE_INSIDE_STORE_AHEAD:
    stored_inside(addr, cut(frame->stack[VALUE], size), size, sort != 0, site);
    break;
  case PERDURE_INSIDE_STORE:
    stored_inside(addr, is_word(size) ? look((uint64_t)addr, size) : 0, size, sort != 0, site);
    break;
  case PERDURE_INSIDE_FLUSH:
    __perdure_flush(addr, sort, site);
    break;
  case PERDURE_INSIDE_FENCE:
    __perdure_fence(sort, site);
    break;
  case PERDURE_INSIDE_RMW_BEGIN:
    __perdure_rmw_begin(addr, atomic, site);
    break;
  case PERDURE_INSIDE_RMW_END:
    __perdure_rmw_end_unknown(addr, sort, atomic, site);
    break;
  case PERDURE_INSIDE_STRING_BEGIN:
    string_stores(frame->registers, sort, size, repeated ? frame->registers[RCX] : 1, site);
    break;
  case PERDURE_INSIDE_STRING_END:
    string_loaded(frame->stack[FROM], frame->stack[TO], sort, (repeated ? frame->stack[COUNT] - frame->registers[RCX] : 1) * size, site);
    break;
  }
}

GATE(inside);
__asm__(".globl __perdure_inside\n.set __perdure_inside, gate_inside\n");
