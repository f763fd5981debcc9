/* The area in which patched code finds what is to be observed and the entries of all gates. */
#include "gates.h"
#include "gate_frame.h"
#include "late_patches.h"
#include "system.h"
#include "touched_words.h"
#include <cpuid.h>
#include <sys/mman.h>

static bool opened;
uint32_t gates_state_bytes;

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
  void (*const gates[])(void) = {
      quick_gate_load, quick_gate_load_followed, quick_gate_load_now, quick_gate_store, quick_gate_store_preceded, gate_store_begin,
      gate_store_end, quick_gate_flush, quick_gate_flush_preceded, quick_gate_fence, gate_atomic_begin, gate_atomic_end, gate_string_begin,
      gate_string_end, gate_bit_begin, gate_bit_end, gate_translate, gate_vector_load, gate_vector_store, gate_direct_store,
      gate_named_begin, gate_named_end, gate_region_start,
  };
  long area = SYSTEM6(SYS_mmap, GATES_AREA, GATES_AREA_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if ((uint64_t)area != GATES_AREA) {
    return false;
  }
  for (unsigned i = 0; i < sizeof gates / sizeof gates[0]; i++) {
    ((uint64_t *)GATES_TABLE)[i] = (uint64_t)gates[i];
  }
  uint32_t largest, features, unused;
  __cpuid_count(0xd, 0, unused, gates_state_bytes, largest, features);
  opened = true;
  for (uint64_t block = 0; block < PERDURE_BLOCKS; block++) {
    if (__perdure_pm_map[block] != 0) {
      gates_watch_pm(block << PERDURE_BLOCK_SHIFT, (block + 1) << PERDURE_BLOCK_SHIFT);
    }
  }
  return true;
}
