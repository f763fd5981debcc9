#include "followed_pages.h"
#include "system.h"
#include <sys/mman.h>

#define PAGES_A_CHUNK 256
#define MOST_PAGES (UINT32_C(1) << 20)
#define BUCKETS (UINT32_C(1) << 16)

static struct followed_page **slot; /* first those that are followed, then those to be used again */
static struct followed_page **bucket;
static uint32_t pages, made;

uint32_t followed_pages_count(void) { return pages; }

struct followed_page *followed_page(uint32_t number) { return slot[number]; }

static void *map_zeros(size_t bytes) {
  long got = SYSTEM6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return system_failed(got) ? NULL : (void *)got;
}

static bool make_pages(void) {
  if (slot == NULL) {
    bucket = map_zeros(BUCKETS * sizeof *bucket);
    slot = bucket != NULL ? map_zeros(MOST_PAGES * sizeof *slot) : NULL;
  }
  struct followed_page *chunk = slot != NULL && made < MOST_PAGES ? map_zeros(PAGES_A_CHUNK * sizeof *chunk) : NULL;
  for (uint32_t n = 0; chunk != NULL && n < PAGES_A_CHUNK; n++) {
    slot[made++] = &chunk[n];
  }
  return chunk != NULL;
}

static struct followed_page **bucket_of(uint64_t start) { return &bucket[(start / PERDURE_PAGE) % BUCKETS]; }

struct followed_page *followed_page_at(uint64_t start) {
  struct followed_page *page = pages != 0 ? *bucket_of(start) : NULL;
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

void followed_pages_add(uint64_t start, uint64_t prot) {
  struct followed_page *page = followed_page_at(start);
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

static void take_out_of_bucket(struct followed_page *page) {
  struct followed_page **at = bucket_of(page->addr);
  while (*at != page) {
    at = &(*at)->next;
  }
  *at = page->next;
}

void followed_pages_forget_if(bool (*gone)(struct followed_page *page, uint64_t from, uint64_t to), uint64_t from, uint64_t to) {
  uint32_t kept = 0;
  for (uint32_t n = 0; n < pages; n++) {
    struct followed_page *page = slot[n];
    if (gone(page, from, to)) {
      take_out_of_bucket(page);
    } else {
      slot[n] = slot[kept];
      slot[kept++] = page;
    }
  }
  pages = kept;
}

bool followed_page_lies_in(struct followed_page *page, uint64_t from, uint64_t to) { return page->addr >= from && page->addr < to; }
