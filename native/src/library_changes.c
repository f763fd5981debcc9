#include "library_changes.h"
#include "pm.h"
#include "signals.h"
#include "system.h"
#include "written_pages.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#define PAGES_A_CHUNK 256
#define MOST_PAGES (UINT32_C(1) << 20)
#define MOST_IDLE 4 /* looks at a page that nobody changes; then it is only looked at again when somebody writes to it */
#define MARKED_AT_ONCE (UINT64_C(16) * PERDURE_PAGE)
#define WHOLE_SPACE (UINT64_C(1) << PERDURE_ADDR_BITS)

struct page {
  uint64_t addr; /* 0: forgotten */
  uint64_t prot;
  uint32_t idle; /* looks since it last differed */
  uint8_t before[PERDURE_PAGE];
};

static struct page **slot; /* first those that are looked at, then those to be used again */
static uint32_t pages, made;
static uint32_t inside; /* threads in a library */
static uint32_t lock;

static bool wanted(void) { return perdure_recording && (perdure_header->flags & PERDURE_FLAG_LIBRARY_CHANGES) != 0; }

static void protect(uint64_t addr, uint64_t length, uint64_t prot) { SYSTEM(SYS_mprotect, addr, length, prot); }

static void protect_from_writes(const struct mapping *m) { protect(m->addr, m->length, m->prot & ~(uint64_t)PROT_WRITE); }

/* As the program wants it, but for pages that need a mark first. */
static void allow_writes(const struct mapping *m) {
  if (m->written == NULL) {
    protect(m->addr, m->length, m->prot);
    return;
  }
  protect_from_writes(m);
  struct mapping marked = written_pages_next(m, m->addr);
  while (marked.length != 0) {
    protect(marked.addr, marked.length, marked.prot);
    marked = written_pages_next(m, marked.addr + marked.length);
  }
}

static void protect_all(bool writable) {
  struct mapping m;
  for (unsigned n = 0; mapping_in(0, WHOLE_SPACE, n, &m); n++) {
    if ((m.prot & PROT_WRITE) != 0) {
      (writable ? allow_writes : protect_from_writes)(&m);
    }
  }
}

static void *map_zeros(size_t bytes) {
  long got = SYSTEM6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return system_failed(got) ? NULL : (void *)got;
}

static bool make_pages(void) {
  if (slot == NULL) {
    slot = map_zeros(MOST_PAGES * sizeof *slot);
  }
  struct page *chunk = slot != NULL && made < MOST_PAGES ? map_zeros(PAGES_A_CHUNK * sizeof *chunk) : NULL;
  for (uint32_t n = 0; chunk != NULL && n < PAGES_A_CHUNK; n++) {
    slot[made++] = &chunk[n];
  }
  return chunk != NULL;
}

static struct page *new_page(void) { return pages < made || make_pages() ? slot[pages++] : NULL; }

/* Plain words: memcpy is one of the functions that are recorded. */
static void copy_page(void *to, const void *from) {
  for (size_t i = 0; i < PERDURE_PAGE / 8; i++) {
    ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
  }
}

/* The neighbours of a page that become writable with it: a fault for each would cost more than to put some back in vain. */
static struct mapping neighbours(const struct mapping *page) {
  uint64_t from = page->addr & ~(MARKED_AT_ONCE - 1);
  struct mapping around;
  for (unsigned n = 0; mapping_in(from, MARKED_AT_ONCE, n, &around); n++) {
    if (around.addr <= page->addr && page->addr < around.addr + around.length) {
      return around;
    }
  }
  return *page;
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
    page->prot = m.prot;
    page->idle = 0;
    copy_page(page->before, (const void *)start);
  }
  if (m.written != NULL) {
    m = inside != 0 ? m : neighbours(&m);
    written_pages_mark(&m);
  }
  protect(m.addr, m.length, m.prot);
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
  page->idle++;
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
    page->idle = 0;
    emit_change((void *)(page->addr + i), page->before + i, end - i);
    i = end;
  }
}

static bool rests(const struct page *page) { return page->addr != 0 && page->idle >= MOST_IDLE; }

static bool follows(const struct page *page, const struct page *before) {
  return page->addr == before->addr + PERDURE_PAGE && page->prot == before->prot;
}

/* Pages that rest are written to no more without a fault. What came in between the last look and that is seen by one more look. */
static void protect_resting(void) {
  for (uint32_t n = 0; n < pages;) {
    const struct page *first = slot[n++];
    uint64_t length = PERDURE_PAGE;
    while (rests(first) && n < pages && rests(slot[n]) && follows(slot[n], slot[n - 1])) {
      length += PERDURE_PAGE;
      n++;
    }
    if (rests(first)) {
      protect(first->addr, length, first->prot & ~(uint64_t)PROT_WRITE);
    }
  }
}

static void forget_resting(void) {
  uint32_t kept = 0;
  for (uint32_t n = 0; n < pages; n++) {
    struct page *page = slot[n];
    bool gone = rests(page);
    if (gone) {
      record_differences(page);
    }
    if (gone && page->idle == 0) {
      protect(page->addr, PERDURE_PAGE, page->prot);
    }
    if (page->addr != 0 && !rests(page)) {
      slot[n] = slot[kept];
      slot[kept++] = page;
    }
  }
  pages = kept;
}

static void record_all(void) {
  bool any_rests = false;
  for (uint32_t n = 0; n < pages; n++) {
    if (slot[n]->addr != 0) {
      record_differences(slot[n]);
      any_rests |= rests(slot[n]);
    }
  }
  if (any_rests) {
    protect_resting();
    forget_resting();
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
  bool noticed = inside != 0 && wanted();
  if ((noticed || mapping->written != NULL) && (mapping->prot & PROT_WRITE) != 0) {
    perdure_spin_lock(&lock);
    signals_take(SIGSEGV, on_fault);
    (inside != 0 ? protect_from_writes : allow_writes)(mapping);
    perdure_spin_unlock(&lock);
  }
}

void library_changes_unmapping(uint64_t addr, uint64_t length) {
  if (pages == 0 || !wanted()) {
    return;
  }
  perdure_spin_lock(&lock);
  for (uint32_t n = 0; n < pages; n++) {
    struct page *page = slot[n];
    if (page->addr >= addr && page->addr < addr + length) {
      record_differences(page);
      page->addr = 0;
    }
  }
  perdure_spin_unlock(&lock);
}

void library_changes_in_child(void) {
  lock = 0;
  written_pages_in_child();
  if (inside != 0 && perdure_self.library == 0) {
    inside = 0;
    pages = 0;
    protect_all(true);
  } else if (inside != 0) {
    inside = 1;
  }
}

void library_changes_touch(void *addr, size_t length) {
  if (((inside != 0 && wanted()) || written_pages_watched()) && pm_is(addr, length)) {
    for (char *at = addr; at < (char *)addr + length; at += PERDURE_PAGE) {
      __atomic_fetch_or(at, 0, __ATOMIC_RELAXED);
    }
    __atomic_fetch_or((char *)addr + length - 1, 0, __ATOMIC_RELAXED);
  }
}

static void note_told(struct page *page, uint64_t addr, const uint8_t *bytes, int fill, size_t length) {
  uint64_t from = addr > page->addr ? addr : page->addr;
  uint64_t end = addr + length < page->addr + PERDURE_PAGE ? addr + length : page->addr + PERDURE_PAGE;
  for (uint64_t at = from; at < end; at++) {
    page->before[at - page->addr] = bytes != NULL ? bytes[at - addr] : (uint8_t)fill;
  }
}

void library_changes_told(void *addr, const void *bytes, int fill, size_t length) {
  if (length == 0 || perdure_self.library == 0 || inside == 0 || !wanted()) {
    return;
  }
  library_changes_touch(addr, length);
  perdure_spin_lock(&lock);
  for (uint32_t n = 0; n < pages; n++) {
    if (slot[n]->addr != 0) {
      note_told(slot[n], (uint64_t)addr, bytes, fill, length);
    }
  }
  perdure_spin_unlock(&lock);
}
