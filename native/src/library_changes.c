#include "library_changes.h"
#include "followed_pages.h"
#include "pm.h"
#include "pm_protection.h"
#include "real.h"
#include "signals.h"
#include "written_pages.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_IDLE 4 /* looks at a page that nobody changes; then it is only looked at again when somebody writes to it */
#define MARKED_AT_ONCE (UINT64_C(16) * PERDURE_PAGE)
#define WHOLE_SPACE (UINT64_C(1) << PERDURE_ADDR_BITS)

/* Two locks, always in this order, and those of other tables after them. Differences are looked for and recorded under `looking`, which may
 * wait for room in the ring. The pages that are followed change under `table`, which waits for nothing: a thread that faults takes only this
 * one, since the reader may be waiting for what it was about to do. `before` and `idle` belong to who looks, once a page is followed. */
static uint32_t looking, table;
static _Thread_local bool looks, changes_table;

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

/* The part of a range that is mapped together with an address in it. */
static struct mapping mapped_around(uint64_t addr, uint64_t from, uint64_t length) {
  struct mapping around;
  unsigned n = 0;
  while (mapping_in(from, length, n, &around) && (addr < around.addr || addr >= around.addr + around.length)) {
    n++;
  }
  return around;
}

/* The page becomes writable, and what it was is kept. Outside libraries its neighbours, too, become so where they need a mark: a fault for
 * each would cost more than to put some back in vain. Where the kernel cannot split the mapping once more, all of it does. */
static void open_page(struct mapping page) {
  uint64_t start = page.addr;
  if (inside != 0) {
    followed_pages_add(start, page.prot);
  } else if (page.written != NULL) {
    page = mapped_around(start, start & ~(MARKED_AT_ONCE - 1), MARKED_AT_ONCE);
  }
  if (pm_open(&page)) {
    return;
  }
  struct mapping whole = mapped_around(start, 0, WHOLE_SPACE);
  for (uint64_t at = whole.addr; inside != 0 && at < whole.addr + whole.length; at += PERDURE_PAGE) {
    followed_pages_add(at, whole.prot);
  }
  pm_open(&whole);
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
    pm_open(&m);
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
    pm_protect_in(0, WHOLE_SPACE, false);
  }
  drop_table();
}

/* The stretches of bytes that differ, each to the first eight that do not. */
static void record_differences(struct followed_page *page) {
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

static bool rests(const struct followed_page *page) { return page->idle >= MOST_IDLE; }

static bool follows(const struct followed_page *page, const struct followed_page *before) {
  return page->addr == before->addr + PERDURE_PAGE && page->prot == before->prot;
}

/* Pages that rest are written to no more without a fault. */
static void protect_resting(void) {
  for (uint32_t n = 0; n < followed_pages_count();) {
    const struct followed_page *first = followed_page(n++);
    uint64_t length = PERDURE_PAGE;
    while (rests(first) && n < followed_pages_count() && rests(followed_page(n)) && follows(followed_page(n), followed_page(n - 1))) {
      length += PERDURE_PAGE;
      n++;
    }
    if (rests(first)) {
      pm_protect(first->addr, length, first->prot & ~(uint64_t)PROT_WRITE);
    }
  }
}

static bool rests_for_good(struct followed_page *page, uint64_t from, uint64_t to) {
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
  uint32_t now = followed_pages_count();
  drop_table();
  return now;
}

/* What was written between the last look at a page and its protection keeps it; so does a write after that. */
static void record_all(void) {
  bool any_rests = false;
  uint32_t now = pages_now();
  for (uint32_t n = 0; n < now; n++) {
    record_differences(followed_page(n));
    any_rests |= rests(followed_page(n));
  }
  if (!any_rests) {
    return;
  }
  hold_table();
  protect_resting();
  drop_table();
  for (uint32_t n = 0; n < now; n++) {
    struct followed_page *page = followed_page(n);
    bool rested = rests(page);
    if (rested) {
      record_differences(page);
    }
    if (rested && page->idle == 0) {
      pm_protect(page->addr, PERDURE_PAGE, page->prot);
    }
  }
  hold_table();
  followed_pages_forget_if(rests_for_good, 0, 0);
  drop_table();
}

void library_changes_record(void) {
  if (!looks && followed_pages_count() != 0 && perdure_self.library != 0 && wanted()) {
    begin_look();
    record_all();
    end_look();
  }
}

static bool any(struct followed_page *page, uint64_t from, uint64_t to) {
  (void)page, (void)from, (void)to;
  return true;
}

static void all_writable(void) {
  followed_pages_forget_if(any, 0, 0);
  pm_protect_in(0, WHOLE_SPACE, true);
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
    (inside != 0 ? pm_protect_from_writes : pm_allow_writes)(mapping);
    drop_table();
  }
}

static void record_and_forget(uint64_t from, uint64_t to) {
  uint32_t now = pages_now();
  for (uint32_t n = 0; n < now; n++) {
    if (followed_page_lies_in(followed_page(n), from, to)) {
      record_differences(followed_page(n));
    }
  }
  hold_table();
  followed_pages_forget_if(followed_page_lies_in, from, to);
  drop_table();
}

void library_changes_unmapping(uint64_t addr, uint64_t length) {
  if (followed_pages_count() != 0 && wanted()) {
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
  pm_protect_in(from, rounded, inside == 0);
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

static void note_told(struct followed_page *page, uint64_t addr, const uint8_t *bytes, int fill, size_t length) {
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
    struct followed_page *page = followed_page_at(start);
    drop_table();
    if (page != NULL) {
      note_told(page, (uint64_t)addr, bytes, fill, length);
    }
  }
  end_look();
}
