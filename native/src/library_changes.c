#include "library_changes.h"
#include "pm.h"
#include "signals.h"
#include "system.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#define PAGES_A_CHUNK 256
#define MOST_CHUNKS 4096
#define WHOLE_SPACE (UINT64_C(1) << PERDURE_ADDR_BITS)

struct page {
  uint64_t addr; /* 0: forgotten */
  uint8_t before[PERDURE_PAGE];
};

static struct page *chunk[MOST_CHUNKS];
static uint32_t pages;
static uint32_t inside; /* threads in a library */
static uint32_t lock;

static bool wanted(void) { return perdure_recording && (perdure_header->flags & PERDURE_FLAG_LIBRARY_CHANGES) != 0; }

static struct page *page_at(uint32_t n) { return &chunk[n / PAGES_A_CHUNK][n % PAGES_A_CHUNK]; }

static void protect(uint64_t addr, uint64_t length, uint64_t prot) { SYSTEM(SYS_mprotect, addr, length, prot); }

static void protect_all(bool writable) {
  struct mapping m;
  for (unsigned n = 0; mapping_in(0, WHOLE_SPACE, n, &m); n++) {
    if ((m.prot & PROT_WRITE) != 0) {
      protect(m.addr, m.length, writable ? m.prot : m.prot & ~(uint64_t)PROT_WRITE);
    }
  }
}

static struct page *new_page(void) {
  uint32_t n = pages / PAGES_A_CHUNK;
  if (n >= MOST_CHUNKS) {
    return NULL;
  }
  if (chunk[n] == NULL) {
    long got = SYSTEM6(SYS_mmap, 0, sizeof(struct page) * PAGES_A_CHUNK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (system_failed(got)) {
      return NULL;
    }
    chunk[n] = (struct page *)got;
  }
  return page_at(pages++);
}

/* Plain words: memcpy is one of the functions that are recorded. */
static void copy_page(void *to, const void *from) {
  for (size_t i = 0; i < PERDURE_PAGE / 8; i++) {
    ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
  }
}

/* The page becomes writable, and what it was is kept. False where it is not ours to decide. */
static bool first_write(uint64_t addr) {
  struct mapping m;
  uint64_t start = addr & ~(uint64_t)(PERDURE_PAGE - 1);
  if (!mapping_in(start, PERDURE_PAGE, 0, &m) || (m.prot & PROT_WRITE) == 0) {
    return false;
  }
  perdure_spin_lock(&lock);
  struct page *page = inside != 0 ? new_page() : NULL;
  if (page != NULL) {
    page->addr = start;
    copy_page(page->before, (const void *)start);
  }
  protect(start, PERDURE_PAGE, m.prot);
  perdure_spin_unlock(&lock);
  return true;
}

/* A fault that is not ours comes again, and is the program's own then. */
static void on_fault(int number, siginfo_t *info, void *context) {
  if (info->si_code != SEGV_ACCERR || !first_write((uint64_t)info->si_addr)) {
    signals_pass_on(number, info, context);
  }
}

void library_changes_begin(void) {
  if (!wanted()) {
    return;
  }
  perdure_spin_lock(&lock);
  signals_take(SIGSEGV, on_fault);
  if (inside++ == 0) {
    protect_all(false);
  }
  perdure_spin_unlock(&lock);
}

/* The stretches of bytes that differ, each to the first eight that do not. */
static void record_differences(struct page *page) {
  const uint8_t *now = (const uint8_t *)page->addr;
  for (uint32_t i = 0; i < PERDURE_PAGE;) {
    if (i % 8 == 0 && *(const volatile uint64_t *)(now + i) == *(const uint64_t *)(page->before + i)) {
      i += 8;
      continue;
    }
    if (now[i] == page->before[i]) {
      i++;
      continue;
    }
    uint32_t end = i + 1;
    for (uint32_t same = 0; end < PERDURE_PAGE && same < 8; end++) {
      same = now[end] == page->before[end] ? same + 1 : 0;
    }
    while (now[end - 1] == page->before[end - 1]) {
      end--;
    }
    for (uint32_t b = i; b < end; b++) {
      page->before[b] = now[b];
    }
    emit_store((void *)(page->addr + i), page->before + i, end - i);
    i = end;
  }
}

static void record_all(void) {
  for (uint32_t n = 0; n < pages; n++) {
    if (page_at(n)->addr != 0) {
      record_differences(page_at(n));
    }
  }
}

void library_changes_record(void) {
  if (pages != 0 && perdure_self.library != 0 && wanted()) {
    perdure_spin_lock(&lock);
    record_all();
    perdure_spin_unlock(&lock);
  }
}

void library_changes_end(void) {
  if (!wanted() || inside == 0) {
    return;
  }
  perdure_spin_lock(&lock);
  record_all();
  if (--inside == 0) {
    pages = 0;
    protect_all(true);
  }
  perdure_spin_unlock(&lock);
}

void library_changes_mapped(const struct mapping *mapping) {
  if (inside != 0 && wanted() && (mapping->prot & PROT_WRITE) != 0) {
    perdure_spin_lock(&lock);
    if (inside != 0) {
      protect(mapping->addr, mapping->length, mapping->prot & ~(uint64_t)PROT_WRITE);
    }
    perdure_spin_unlock(&lock);
  }
}

void library_changes_unmapping(uint64_t addr, uint64_t length) {
  if (pages == 0 || !wanted()) {
    return;
  }
  perdure_spin_lock(&lock);
  for (uint32_t n = 0; n < pages; n++) {
    struct page *page = page_at(n);
    if (page->addr >= addr && page->addr < addr + length) {
      record_differences(page);
      page->addr = 0;
    }
  }
  perdure_spin_unlock(&lock);
}

void library_changes_in_child(void) {
  lock = 0;
  if (inside != 0 && perdure_self.library == 0) {
    inside = 0;
    pages = 0;
    protect_all(true);
  } else if (inside != 0) {
    inside = 1;
  }
}

void library_changes_touch(void *addr, size_t length) {
  if (inside != 0 && wanted() && pm_is(addr, length)) {
    for (char *at = addr; at < (char *)addr + length; at += PERDURE_PAGE) {
      __atomic_fetch_or(at, 0, __ATOMIC_RELAXED);
    }
    __atomic_fetch_or((char *)addr + length - 1, 0, __ATOMIC_RELAXED);
  }
}
