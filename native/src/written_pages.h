/* Which pages of a private pool a target may have changed. Whoever gave it the pool keeps a file of marks beside it, one for each page, and
 * puts back what is marked. A page is write-protected until it has its mark: the marks are right even if the target is killed. */
#ifndef PERDURE_WRITTEN_PAGES_H
#define PERDURE_WRITTEN_PAGES_H
#include "mapping_table.h"

/* The marks of the file behind a descriptor; null where nobody keeps any. */
uint8_t *written_pages_of(int fd);
/* Whether some file with marks is mapped. */
bool written_pages_watched(void);
/* The pages of a mapping, or of a part of it, are about to become writable. */
void written_pages_mark(const struct mapping *mapping);
/* The first stretch of marked pages at or behind a position in a mapping; an empty one where there is none. */
struct mapping written_pages_next(const struct mapping *mapping, uint64_t from);
/* The child of a fork has one thread. */
void written_pages_in_child(void);
/* The file behind a descriptor, or a path, changes by other means than stores: its marks do not tell what to put back any more. */
void written_pages_lose(int fd);
void written_pages_lose_path(const char *path);

#endif
