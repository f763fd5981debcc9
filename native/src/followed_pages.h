/* The pages of PM that libraries have written to, each with what it was. Nothing here takes a lock: which pages there are changes under the
 * caller's, and what a page holds belongs to who has found it. */
#ifndef PERDURE_FOLLOWED_PAGES_H
#define PERDURE_FOLLOWED_PAGES_H
#include "runtime.h"

struct followed_page {
  uint64_t addr, prot;
  struct followed_page *next; /* of its bucket */
  uint32_t idle;              /* looks since it last differed */
  bool reopened;              /* written to after it came to rest */
  uint8_t before[PERDURE_PAGE];
};

uint32_t followed_pages_count(void);
struct followed_page *followed_page(uint32_t number);
/* The page that starts there; null where it is not followed. */
struct followed_page *followed_page_at(uint64_t start);
/* From now on, as it is now. A page that comes back from its rest keeps what it was. */
void followed_pages_add(uint64_t start, uint64_t prot);
bool followed_page_lies_in(struct followed_page *page, uint64_t from, uint64_t to);
void followed_pages_forget_if(bool (*gone)(struct followed_page *page, uint64_t from, uint64_t to), uint64_t from, uint64_t to);

#endif
