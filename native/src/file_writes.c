#include "file_writes.h"
#include "real.h"
#include "system.h"
#include "written_pages.h"
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

void file_written(int fd, off_t offset, ssize_t count) {
  (void)offset;
  (void)count;
  written_pages_lose(fd);
}

/* A file that only grows keeps what it has. */
static void before_resize(int fd, off_t length) {
  struct stat status;
  if (views_active() && SYSTEM(SYS_fstat, fd, &status, 0) == 0 && length < status.st_size) {
    written_pages_lose(fd);
  }
}

REAL(ftruncate);
EXPORT int ftruncate(int fd, off_t length) {
  before_resize(fd, length);
  return CALL(ftruncate)(fd, length);
}
EXPORT int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

REAL(fallocate);
EXPORT int fallocate(int fd, int mode, off_t offset, off_t length) {
  if ((mode & ~FALLOC_FL_KEEP_SIZE) != 0) {
    written_pages_lose(fd);
  }
  return CALL(fallocate)(fd, mode, offset, length);
}
EXPORT int fallocate64(int fd, int mode, off64_t offset, off64_t length) { return fallocate(fd, mode, offset, length); }

REAL(copy_file_range);
EXPORT ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length, unsigned flags) {
  off64_t at = to_offset != NULL ? *to_offset : -1;
  return wrote_at(to, at, CALL(copy_file_range)(from, from_offset, to, to_offset, length, flags));
}

REAL(sendfile);
EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t length) { return wrote(to, CALL(sendfile)(to, from, offset, length)); }
EXPORT ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) { return sendfile(to, from, offset, length); }

REAL(splice);
EXPORT ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length, unsigned flags) {
  off64_t at = to_offset != NULL ? *to_offset : -1;
  return wrote_at(to, at, CALL(splice)(from, from_offset, to, to_offset, length, flags));
}
