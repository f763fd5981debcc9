#include "traps.h"
#include "runtime.h"
#include "signals.h"
#include "system.h"
#include <sys/mman.h>
#include <ucontext.h>

#define MOST 65536u

/* Open-addressed by the address; filled while modules are patched, only read by the handler. */
static struct {
  uint64_t at, target;
} *traps;
static uint32_t count;

static uint32_t slot_of(uint64_t at) { return (uint32_t)(at * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (MOST - 1); }

void traps_add(uint64_t at, uint64_t target) {
  if (traps == NULL) {
    long room = SYSTEM6(SYS_mmap, 0, MOST * sizeof *traps, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (system_failed(room)) {
      return;
    }
    traps = (void *)room;
  }
  uint32_t slot = slot_of(at);
  while (traps[slot].at != 0 && traps[slot].at != at) {
    slot = (slot + 1) & (MOST - 1);
  }
  traps[slot].target = target;
  __atomic_store_n(&traps[slot].at, at, __ATOMIC_RELEASE);
  count++;
}

static void on_trap(int signal, siginfo_t *info, void *context) {
  ucontext_t *c = context;
  uint64_t at = (uint64_t)c->uc_mcontext.gregs[REG_RIP] - 1;
  for (uint32_t slot = slot_of(at); traps[slot].at != 0; slot = (slot + 1) & (MOST - 1)) {
    if (traps[slot].at == at) {
      c->uc_mcontext.gregs[REG_RIP] = (greg_t)traps[slot].target;
      return;
    }
  }
  if (!signals_pass_on(signal, info, context)) {
    raise(SIGTRAP);
  }
}

void traps_start(void) {
  if (count > 0) {
    signals_take(SIGTRAP, on_trap);
  } else {
    signals_keep_open(SIGTRAP);
  }
}
