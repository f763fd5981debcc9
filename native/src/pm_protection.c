#include "pm_protection.h"
#include "system.h"
#include "written_pages.h"
#include <sys/mman.h>

bool pm_protect(uint64_t addr, uint64_t length, uint64_t prot) {
  return !system_failed(SYSTEM(SYS_mprotect, addr, length, prot));
}

void pm_protect_from_writes(const struct mapping *m) { pm_protect(m->addr, m->length, m->prot & ~(uint64_t)PROT_WRITE); }

void pm_allow_writes(const struct mapping *m) {
  if (m->written == NULL) {
    pm_protect(m->addr, m->length, m->prot);
    return;
  }
  pm_protect_from_writes(m);
  struct mapping marked = written_pages_next(m, m->addr);
  while (marked.length != 0) {
    pm_protect(marked.addr, marked.length, marked.prot);
    marked = written_pages_next(m, marked.addr + marked.length);
  }
}

void pm_protect_in(uint64_t addr, uint64_t length, bool writable) {
  struct mapping m;
  for (unsigned n = 0; mapping_in(addr, length, n, &m); n++) {
    if ((m.prot & PROT_WRITE) != 0) {
      (writable ? pm_allow_writes : pm_protect_from_writes)(&m);
    }
  }
}

bool pm_open(const struct mapping *m) {
  if (m->written != NULL) {
    written_pages_mark(m);
  }
  return pm_protect(m->addr, m->length, m->prot);
}
