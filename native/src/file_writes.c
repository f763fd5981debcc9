#include "file_writes.h"
#include "mapping_table.h"
#include "pm.h"
#include "pm_files.h"
#include "real.h"
#include "system.h"
#include "written_pages.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

struct part {
  struct stat status;
  uint64_t offset, length;
  uint64_t addr;
};

static uint64_t page_down(uint64_t at) { return at & ~(uint64_t)(PERDURE_PAGE - 1); }
static uint64_t page_up(uint64_t at) { return page_down(at + PERDURE_PAGE - 1); }

static bool is_private(int fd, struct stat *status) {
  char folder[PATH_MAX];
  return watching() && SYSTEM(SYS_fstat, fd, status, 0) == 0 && S_ISREG(status->st_mode) && view_folder_of(fd, folder);
}

/* The part's place in the window, which the recording is told of. */
static bool place_in_window(int fd, struct part *part, uint32_t why) {
  uint64_t from = page_down(part->offset), length = page_up(part->offset + part->length) - from;
  uint32_t index;
  struct perdure_file *area = pm_file_area(fd, &part->status, from, length, 0, &index);
  if (area == NULL) {
    return false;
  }
  uint64_t payload[4] = {pm_file_first(part->status.st_dev, part->status.st_ino), from, 0, 0};
  emit_with_payload(STAMP_AFTER, PERDURE_EV_MAP, why, (const void *)(area->addr + from), length, payload, sizeof payload);
  part->addr = area->addr + part->offset;
  return true;
}

/* Where the program has the part mapped. */
static bool is_mapped(struct part *part) {
  struct mapping m;
  for (unsigned n = 0; mapping_of_file(part->status.st_dev, part->status.st_ino, n, &m); n++) {
    if (m.offset <= part->offset && part->offset + part->length <= m.offset + m.length) {
      part->addr = m.addr + (part->offset - m.offset);
      return true;
    }
  }
  return false;
}

static bool find_part(int fd, off_t offset, ssize_t count, struct part *part) {
  if (!is_private(fd, &part->status)) {
    return false;
  }
  if (offset < 0) {
    offset = SYSTEM(SYS_lseek, fd, 0, SEEK_CUR) - count;
  }
  part->offset = (uint64_t)offset;
  part->length = (uint64_t)count;
  return offset >= 0 && (is_mapped(part) || place_in_window(fd, part, PERDURE_MAP_FILE));
}

static bool is_zero(const uint8_t *bytes, uint64_t length) {
  for (uint64_t i = 0; i < length; i++) {
    if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}

/* The bytes are taken from the file: they may have come from another one, and the descriptor may be for writing only. */
static void record_content(int fd, const struct part *part) {
  char name[64] = "/proc/self/fd/", *end = name + 14;
  unsigned scale = 1;
  while ((unsigned)fd / scale >= 10) {
    scale *= 10;
  }
  for (; scale != 0; scale /= 10) {
    *end++ = (char)('0' + (unsigned)fd / scale % 10);
  }
  long again = SYSTEM6(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(again)) {
    return;
  }
  uint64_t from = page_down(part->offset), length = page_up(part->offset + part->length) - from;
  long bytes = SYSTEM6(SYS_mmap, 0, length, PROT_READ, MAP_SHARED, again, from);
  if (!system_failed(bytes)) {
    const uint8_t *content = (const uint8_t *)bytes + (part->offset - from);
    emit_change((void *)part->addr, is_zero(content, part->length) ? NULL : content, part->length);
    SYSTEM(SYS_munmap, bytes, length, 0);
  }
  SYSTEM(SYS_close, again, 0, 0);
}

void file_written(int fd, off_t offset, ssize_t count) {
  struct part part;
  written_pages_lose(fd);
  if (find_part(fd, offset, count, &part)) {
    record_content(fd, &part);
  }
}

/* Programs that only copy a pool, as cp does, use nothing of it. */
void file_read(int fd, off_t offset, ssize_t count) {
  struct part part;
  bool uses_pools = (perdure_process->flags & PERDURE_PROCESS_MAPPED_PM) != 0;
  if (uses_pools && !perdure_self.trusts_loads && find_part(fd, offset, count, &part)) {
    emit(STAMP_AFTER, PERDURE_EV_LOAD_BLOCK, 0, (const void *)part.addr, part.length);
  }
}

void file_opened(int fd) {
  struct part part = {.offset = 0, .length = 1};
  if (is_private(fd, &part.status) && part.status.st_size == 0) {
    written_pages_lose(fd);
    place_in_window(fd, &part, PERDURE_MAP_EMPTIED);
  }
}

void file_synced(int fd) {
  struct part part = {.offset = 0};
  if (is_private(fd, &part.status) && part.status.st_size > 0 && pm_file_first(part.status.st_dev, part.status.st_ino) < PERDURE_MAX_FILES) {
    part.length = (uint64_t)part.status.st_size;
    if (!is_mapped(&part) && place_in_window(fd, &part, PERDURE_MAP_FILE)) {
      emit(STAMP_AFTER, PERDURE_EV_PERSIST, PERDURE_PERSIST_FSYNC, (const void *)part.addr, part.length);
    }
  }
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
  int result = CALL(ftruncate)(fd, length);
  if (result == 0 && length == 0 && views_active()) {
    file_opened(fd);
  }
  return result;
}
EXPORT int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

REAL(fallocate);
EXPORT int fallocate(int fd, int mode, off_t offset, off_t length) {
  bool changes = (mode & ~FALLOC_FL_KEEP_SIZE) != 0;
  if (changes) {
    written_pages_lose(fd);
  }
  int result = CALL(fallocate)(fd, mode, offset, length);
  if (result == 0 && changes) {
    wrote_at(fd, offset, length);
  }
  return result;
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
