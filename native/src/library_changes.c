#include "library_changes.h"
#include "pm.h"
#include "real.h"
#include "signals.h"
#include "system.h"
#include "written_pages.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#define PAGES_A_CHUNK 256
#define MOST_PAGES (UINT32_C(1) << 20)
#define BUCKETS (UINT32_C(1) << 16)
#define MOST_IDLE 4 /* looks at a page that nobody changes; then it is only looked at again when somebody writes to it */
#define MARKED_AT_ONCE (UINT64_C(16) * PERDURE_PAGE)
#define WHOLE_SPACE (UINT64_C(1) << PERDURE_ADDR_BITS)

struct page {
  uint64_t addr, prot;
  struct page *next; /* of its bucket */
  uint32_t idle;     /* looks since it last differed */
  bool reopened;     /* written to after it came to rest */
  uint8_t before[PERDURE_PAGE];
};

/* Two locks, always in this order, and those of other tables after them. Differences are looked for and recorded under `looking`, which may
 * wait for room in the ring. The pages that are followed change under `table`, which waits for nothing: a thread that faults takes only this
 * one, since the reader may be waiting for what it was about to do. `before` and `idle` belong to who looks, once a page is followed. */
static uint32_t looking, table;
static _Thread_local bool looks, changes_table;

static struct page **slot; /* first those that are followed, then those to be used again */
static struct page **bucket;
static uint32_t pages, made;
static uint32_t inside; /* threads in a library */

static bool wanted(void) { return perdure_recording && (perdure_header->flags & PERDURE_FLAG_LIBRARY_CHANGES) != 0; }

static void begin_look(void) {
  perdure_spin_lock(&looking);
  looks = true;
}

static void end_look(void) {
  looks = false;
  perdure_spin_unlock(&looking);
}

static void hold_table(void) {
  perdure_spin_lock(&table);
  changes_table = true;
}

static void drop_table(void) {
  changes_table = false;
  perdure_spin_unlock(&table);
}

static bool protect(uint64_t addr, uint64_t length, uint64_t prot) {
  return !system_failed(SYSTEM(SYS_mprotect, addr, length, prot));
}

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

static void protect_in(uint64_t addr, uint64_t length, bool writable) {
  struct mapping m;
  for (unsigned n = 0; mapping_in(addr, length, n, &m); n++) {
    if ((m.prot & PROT_WRITE) != 0) {
      (writable ? allow_writes : protect_from_writes)(&m);
    }
  }
}

/* ---- the pages that are followed; all under `table` ------------------------------------------------------------------------ */

static void *map_zeros(size_t bytes) {
  long got = SYSTEM6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return system_failed(got) ? NULL : (void *)got;
}

static bool make_pages(void) {
  if (slot == NULL) {
    bucket = map_zeros(BUCKETS * sizeof *bucket);
    slot = bucket != NULL ? map_zeros(MOST_PAGES * sizeof *slot) : NULL;
  }
  struct page *chunk = slot != NULL && made < MOST_PAGES ? map_zeros(PAGES_A_CHUNK * sizeof *chunk) : NULL;
  for (uint32_t n = 0; chunk != NULL && n < PAGES_A_CHUNK; n++) {
    slot[made++] = &chunk[n];
  }
  return chunk != NULL;
}

static struct page **bucket_of(uint64_t start) { return &bucket[(start / PERDURE_PAGE) % BUCKETS]; }

static struct page *followed(uint64_t start) {
  struct page *page = pages != 0 ? *bucket_of(start) : NULL;
  while (page != NULL && page->addr != start) {
    page = page->next;
  }
  return page;
}

/* Plain words: memcpy is one of the functions that are recorded. */
static void copy_page(void *to, const void *from) {
  for (size_t i = 0; i < PERDURE_PAGE / 8; i++) {
    ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
  }
}

/* A page that comes back from its rest keeps what it was. */
static void follow(uint64_t start, uint64_t prot) {
  struct page *page = followed(start);
  if (page != NULL) {
    page->reopened = true;
    return;
  }
  if (pages == made && !make_pages()) {
    return;
  }
  page = slot[pages];
  page->addr = start;
  page->prot = prot;
  page->idle = 0;
  page->reopened = false;
  copy_page(page->before, (const void *)start);
  page->next = *bucket_of(start);
  *bucket_of(start) = page;
  pages++;
}

static void take_out_of_bucket(struct page *page) {
  struct page **at = bucket_of(page->addr);
  while (*at != page) {
    at = &(*at)->next;
  }
  *at = page->next;
}

static void forget_if(bool (*gone)(struct page *page, uint64_t from, uint64_t to), uint64_t from, uint64_t to) {
  uint32_t kept = 0;
  for (uint32_t n = 0; n < pages; n++) {
    struct page *page = slot[n];
    if (gone(page, from, to)) {
      take_out_of_bucket(page);
    } else {
      slot[n] = slot[kept];
      slot[kept++] = page;
    }
  }
  pages = kept;
}

static bool lies_in(struct page *page, uint64_t from, uint64_t to) { return page->addr >= from && page->addr < to; }

/* ---- writes ------------------------------------------------------------------------------------------------------------------ */

/* The part of a range that is mapped together with an address in it. */
static struct mapping mapped_around(uint64_t addr, uint64_t from, uint64_t length) {
  struct mapping around;
  unsigned n = 0;
  while (mapping_in(from, length, n, &around) && (addr < around.addr || addr >= around.addr + around.length)) {
    n++;
  }
  return around;
}

static bool open_all(const struct mapping *m) {
  if (m->written != NULL) {
    written_pages_mark(m);
  }
  return protect(m->addr, m->length, m->prot);
}

/* The page becomes writable, and what it was is kept. Outside libraries its neighbours, too, become so where they need a mark: a fault for
 * each would cost more than to put some back in vain. Where the kernel cannot split the mapping once more, all of it does. */
static void open_page(struct mapping page) {
  uint64_t start = page.addr;
  if (inside != 0) {
    follow(start, page.prot);
  } else if (page.written != NULL) {
    page = mapped_around(start, start & ~(MARKED_AT_ONCE - 1), MARKED_AT_ONCE);
  }
  if (open_all(&page)) {
    return;
  }
  struct mapping whole = mapped_around(start, 0, WHOLE_SPACE);
  for (uint64_t at = whole.addr; inside != 0 && at < whole.addr + whole.length; at += PERDURE_PAGE) {
    follow(at, whole.prot);
  }
  open_all(&whole);
}

/* False where the fault is not ours. A signal handler of the program that interrupts a change of the table writes unseen. */
static bool first_write(uint64_t addr) {
  struct mapping m;
  uint64_t start = addr & ~(uint64_t)(PERDURE_PAGE - 1);
  bool nested = changes_table;
  if (!nested) {
    hold_table();
  }
  bool ours = mapping_in(start, PERDURE_PAGE, 0, &m) && (m.prot & PROT_WRITE) != 0;
  if (ours && nested) {
    open_all(&m);
  } else if (ours) {
    open_page(m);
  }
  if (!nested) {
    drop_table();
  }
  return ours;
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
  hold_table();
  signals_take(SIGSEGV, on_fault);
  if (inside++ == 0) {
    protect_in(0, WHOLE_SPACE, false);
  }
  drop_table();
}

/* ---- looks: all under `looking` ------------------------------------------------------------------------------------------------ */

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
    while (end > i + 1 && now[end - 1] == page->before[end - 1]) {
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

static bool rests(const struct page *page) { return page->idle >= MOST_IDLE; }

static bool follows(const struct page *page, const struct page *before) {
  return page->addr == before->addr + PERDURE_PAGE && page->prot == before->prot;
}

/* Pages that rest are written to no more without a fault. */
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

static bool rests_for_good(struct page *page, uint64_t from, uint64_t to) {
  (void)from, (void)to;
  if (page->reopened) {
    page->reopened = false;
    page->idle = 0;
  }
  return rests(page);
}

/* Pages are only added while somebody looks, behind the others. */
static uint32_t pages_now(void) {
  hold_table();
  uint32_t now = pages;
  drop_table();
  return now;
}

/* What was written between the last look at a page and its protection keeps it; so does a write after that. */
static void record_all(void) {
  bool any_rests = false;
  uint32_t now = pages_now();
  for (uint32_t n = 0; n < now; n++) {
    record_differences(slot[n]);
    any_rests |= rests(slot[n]);
  }
  if (!any_rests) {
    return;
  }
  hold_table();
  protect_resting();
  drop_table();
  for (uint32_t n = 0; n < now; n++) {
    struct page *page = slot[n];
    bool rested = rests(page);
    if (rested) {
      record_differences(page);
    }
    if (rested && page->idle == 0) {
      protect(page->addr, PERDURE_PAGE, page->prot);
    }
  }
  hold_table();
  forget_if(rests_for_good, 0, 0);
  drop_table();
}

void library_changes_record(void) {
  if (!looks && pages != 0 && perdure_self.library != 0 && wanted()) {
    begin_look();
    record_all();
    end_look();
  }
}

static bool any(struct page *page, uint64_t from, uint64_t to) {
  (void)page, (void)from, (void)to;
  return true;
}

static void all_writable(void) {
  forget_if(any, 0, 0);
  protect_in(0, WHOLE_SPACE, true);
}

void library_changes_end(void) {
  if (!wanted() || inside == 0) {
    return;
  }
  begin_look();
  record_all();
  hold_table();
  if (--inside == 0) {
    all_writable();
  }
  drop_table();
  end_look();
}

void library_changes_mapped(const struct mapping *mapping) {
  bool noticed = inside != 0 && wanted();
  if ((noticed || mapping->written != NULL) && (mapping->prot & PROT_WRITE) != 0) {
    hold_table();
    signals_take(SIGSEGV, on_fault);
    (inside != 0 ? protect_from_writes : allow_writes)(mapping);
    drop_table();
  }
}

static void record_and_forget(uint64_t from, uint64_t to) {
  uint32_t now = pages_now();
  for (uint32_t n = 0; n < now; n++) {
    if (lies_in(slot[n], from, to)) {
      record_differences(slot[n]);
    }
  }
  hold_table();
  forget_if(lies_in, from, to);
  drop_table();
}

void library_changes_unmapping(uint64_t addr, uint64_t length) {
  if (pages != 0 && wanted()) {
    begin_look();
    record_and_forget(addr, addr + length);
    end_look();
  }
}

REAL(mprotect);
int library_changes_protect(void *addr, size_t length, int prot) {
  uint64_t from = (uint64_t)addr, rounded = (length + PERDURE_PAGE - 1) & ~(uint64_t)(PERDURE_PAGE - 1);
  begin_look();
  record_and_forget(from, from + rounded);
  hold_table();
  int result = CALL(mprotect)(addr, length, prot);
  if (result == 0) {
    mapping_protected(from, rounded, (uint64_t)prot);
  }
  protect_in(from, rounded, inside == 0);
  drop_table();
  end_look();
  return result;
}

void library_changes_hold(void) {
  begin_look();
  hold_table();
}

void library_changes_drop(void) {
  drop_table();
  end_look();
}

void library_changes_in_child(void) {
  looking = table = 0;
  looks = changes_table = false;
  written_pages_in_child();
  if (inside != 0 && perdure_self.library == 0) {
    inside = 0;
    all_writable();
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
  if (length == 0 || looks || perdure_self.library == 0 || inside == 0 || !wanted()) {
    return;
  }
  library_changes_touch(addr, length);
  begin_look();
  uint64_t end = (uint64_t)addr + length;
  for (uint64_t start = (uint64_t)addr & ~(uint64_t)(PERDURE_PAGE - 1); start < end; start += PERDURE_PAGE) {
    hold_table();
    struct page *page = followed(start);
    drop_table();
    if (page != NULL) {
      note_told(page, (uint64_t)addr, bytes, fill, length);
    }
  }
  end_look();
}
