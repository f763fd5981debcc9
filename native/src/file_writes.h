/* What a program does to a private pool through its descriptor, past any mapping. It is recorded as loads and stores at the place that the
 * file has, or would have, in the window. */
#ifndef PERDURE_FILE_WRITES_H
#define PERDURE_FILE_WRITES_H
#include "views.h"
#include <sys/types.h>

/* The system has read or written so many bytes of the file behind a descriptor, behind an offset or, where it is negative, before the
 * position that the descriptor has now. */
void file_read(int fd, off_t offset, ssize_t count);
void file_written(int fd, off_t offset, ssize_t count);
/* The file may have been made or emptied just now. */
void file_opened(int fd);
/* Everything in the file is persistent, also what is not mapped. */
void file_synced(int fd);

static inline ssize_t wrote_at(int fd, off_t offset, ssize_t count) {
  if (count > 0 && views_active()) {
    file_written(fd, offset, count);
  }
  return count;
}
static inline ssize_t wrote(int fd, ssize_t count) { return wrote_at(fd, -1, count); }
static inline ssize_t read_at(int fd, off_t offset, ssize_t count) {
  if (count > 0 && views_active()) {
    file_read(fd, offset, count);
  }
  return count;
}

#endif
