/* mmap and its relatives. PM files go to the window, the same file to the same place in every process. */
#include "library_changes.h"
#include "mapping_table.h"
#include "pm.h"
#include "pm_files.h"
#include "real.h"
#include "system.h"
#include "views.h"
#include "written_pages.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_SYNC
#define MAP_SYNC 0x80000
#endif
#ifndef MAP_SHARED_VALIDATE
#define MAP_SHARED_VALIDATE 0x03
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#define TYPE_OF(flags) ((flags)&0x0f)
#define MOST_AREAS 64

REAL(mmap);
REAL(munmap);
REAL(mremap);
REAL(mprotect);

static uint64_t whole_pages(uint64_t length) { return (length + PERDURE_PAGE - 1) & ~(uint64_t)(PERDURE_PAGE - 1); }

/* Who maps: the program itself, or one of the persistent memory libraries for it. */
static bool called_by_library(const void *caller) {
  Dl_info info;
  if (perdure_self.library > 0) {
    return true;
  }
  if (dladdr(caller, &info) == 0 || info.dli_fname == NULL) {
    return false;
  }
  const char *name = strrchr(info.dli_fname, '/');
  return strncmp(name != NULL ? name + 1 : info.dli_fname, "libpmem", 7) == 0;
}

static bool is_pm(int flags, int fd, const void *caller, struct stat *status) {
  bool shared = TYPE_OF(flags) == MAP_SHARED || TYPE_OF(flags) == MAP_SHARED_VALIDATE;
  if (!shared || fd < 0 || (flags & MAP_ANONYMOUS) != 0 || SYSTEM(SYS_fstat, fd, status, 0) != 0) {
    return false;
  }
  return (flags & MAP_SYNC) != 0 || pm_file_named(fd, status) || called_by_library(caller) ||
         pm_file_first(status->st_dev, status->st_ino) < PERDURE_MAX_FILES;
}

static void emit_map(const struct mapping *m) {
  uint64_t payload[4] = {pm_file_first(m->dev, m->ino), m->offset, m->prot, m->flags};
  emit_with_payload(STAMP_AFTER, PERDURE_EV_MAP, 0, (const void *)m->addr, m->length, payload, sizeof payload);
}

static void mapped(const struct mapping *m) {
  mapping_add(m);
  pm_add(m->addr, m->length);
  perdure_process_flag(PERDURE_PROCESS_MAPPED_PM);
  emit_map(m);
  library_changes_mapped(m);
}

/* Takes a range out of PM, before the memory itself goes. */
static void unmapping(uint64_t addr, uint64_t length) {
  struct mapping m;
  library_changes_unmapping(addr, length);
  for (unsigned n = 0; mapping_in(addr, length, n, &m); n++) {
    emit(STAMP_BEFORE, PERDURE_EV_UNMAP, 0, (const void *)m.addr, m.length);
  }
  mapping_cut(addr, length);
  pm_remove(addr, length);
}

/* Something else takes the place of PM in the window. */
static void replaced(uint64_t addr, uint64_t length) {
  uint64_t block = UINT64_C(1) << PERDURE_BLOCK_SHIFT, from = addr & ~(block - 1), to = (addr + length + block - 1) & ~(block - 1);
  struct mapping m;
  if (addr < PERDURE_WINDOW_BASE || addr + length > PERDURE_WINDOW_END) {
    return;
  }
  for (unsigned n = 0; mapping_in(from, to - from, n, &m); n++) {
    if (!pm_list(m.addr, m.length)) {
      return;
    }
  }
  pm_look_closer(addr, length);
}

struct request {
  void *addr;
  uint64_t length;
  int prot, flags, fd;
  off_t offset;
};

static void *map_plainly(const struct request *r) { return CALL(mmap)(r->addr, r->length, r->prot, r->flags, r->fd, r->offset); }

/* Exactly there, or not at all. */
static bool map_at(const struct request *r, uint64_t addr) {
  void *got = CALL(mmap)((void *)addr, r->length, r->prot, r->flags | MAP_FIXED_NOREPLACE, r->fd, r->offset);
  if (got == MAP_FAILED) {
    return false;
  }
  if ((uint64_t)got != addr) {
    CALL(munmap)(got, r->length);
    errno = EEXIST;
    return false;
  }
  return true;
}

/* In the window; MAP_FAILED with EEXIST in errno when there is no place for it, with another error when it cannot be mapped. */
static void *map_in_window(const struct request *r, const struct stat *status, uint32_t *file) {
  for (unsigned n = 0; n < MOST_AREAS; n++) {
    struct perdure_file *area = pm_file_area(r->fd, status, (uint64_t)r->offset, whole_pages(r->length), n, file);
    if (area == NULL) {
      break;
    }
    uint64_t addr = area->addr + (uint64_t)r->offset;
    if (map_at(r, addr)) {
      return (void *)addr;
    }
    if (errno != EEXIST) {
      return MAP_FAILED;
    }
  }
  errno = EEXIST;
  return MAP_FAILED;
}

/* An address that the program asks for is kept; libraries only ask for an alignment, unless the user told them where. */
static bool insists(const struct request *r, const void *caller) {
  return r->addr != NULL && (!called_by_library(caller) || getenv("PMEM_MMAP_HINT") != NULL);
}

static void *map_pm(const struct request *r, const struct stat *status, const void *caller, uint32_t *file) {
  *file = PERDURE_MAX_FILES;
  if ((r->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0) {
    return map_plainly(r);
  }
  if (insists(r, caller) && map_at(r, (uint64_t)r->addr)) {
    return r->addr;
  }
  void *got = map_in_window(r, status, file);
  if (got == MAP_FAILED && errno == EEXIST) {
    *file = PERDURE_MAX_FILES;
    got = map_plainly(r);
  }
  return got;
}

/* libpmem2 reserves addresses first and maps the file over them: what it reserves is the place of the file in the window. */
static void *reserve_in_window(const struct request *r) {
  struct request reservation = *r;
  struct stat status;
  uint32_t file;
  reservation.offset = 0;
  int fd = perdure_self.reserving - 1;
  if (r->addr != NULL || (r->flags & MAP_ANONYMOUS) == 0 || SYSTEM(SYS_fstat, fd, &status, 0) != 0) {
    return MAP_FAILED;
  }
  for (unsigned n = 0; n < MOST_AREAS; n++) {
    struct perdure_file *area = pm_file_area(fd, &status, 0, whole_pages(r->length), n, &file);
    if (area == NULL || map_at(&reservation, area->addr)) {
      return area != NULL ? (void *)area->addr : MAP_FAILED;
    }
  }
  return MAP_FAILED;
}

/* Where pools are seen through private stand-ins, a pool without one must not be changed: what is stored in it stays in this process. */
static void keep_private(struct request *r, const struct stat *status) {
  if (views_active() && !pm_file_named(r->fd, status)) {
    r->flags = (r->flags & ~(0x0f | MAP_SYNC)) | MAP_PRIVATE;
  }
}

/* The window holds nothing but PM: a place there that a program merely wishes for (V8 draws some by lot) is not given, and where it
 * insists on one, the blocks around are looked at closer. */
static void keep_out_of_window(struct request *r) {
  uint64_t addr = (uint64_t)r->addr, length = whole_pages(r->length);
  if (addr >= PERDURE_WINDOW_END || addr + length <= PERDURE_WINDOW_BASE) {
    return;
  }
  if ((r->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0) {
    replaced(addr, length);
  } else {
    r->addr = NULL;
  }
}

static void *observed_mmap(struct request *r, const void *caller) {
  struct stat status;
  int saved = errno;
  bool pm = is_pm(r->flags, r->fd, caller, &status);
  if (pm) {
    keep_private(r, &status);
  }
  bool replaces = (r->flags & MAP_FIXED) != 0 && pm_possible(r->addr, r->length);
  errno = saved;
  if (replaces) {
    unmapping((uint64_t)r->addr, whole_pages(r->length));
  }
  if (!pm) {
    void *reserved = perdure_self.reserving != 0 ? reserve_in_window(r) : MAP_FAILED;
    errno = saved;
    if (reserved != MAP_FAILED) {
      return reserved;
    }
    keep_out_of_window(r);
    return map_plainly(r);
  }
  struct mapping m = {.dev = status.st_dev, .ino = status.st_ino, .offset = (uint64_t)r->offset, .prot = (uint64_t)r->prot,
                      .flags = (uint64_t)r->flags, .length = whole_pages(r->length), .written = written_pages_of(r->fd)};
  void *got = map_pm(r, &status, caller, &m.file);
  if (got == MAP_FAILED) {
    if ((r->flags & MAP_SYNC) == 0) {
      perdure_process_flag(PERDURE_PROCESS_MAP_FAILED);
    }
    return MAP_FAILED;
  }
  m.addr = (uint64_t)got;
  if (m.file == PERDURE_MAX_FILES) {
    m.file = pm_file_elsewhere(r->fd, &status, m.addr, m.length);
  }
  mapped(&m);
  errno = saved;
  return got;
}

EXPORT void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset) {
  if (!perdure_recording) {
    return CALL(mmap)(addr, length, prot, flags, fd, offset);
  }
  struct request r = {addr, length, prot, flags, fd, offset};
  return observed_mmap(&r, __builtin_return_address(0));
}

EXPORT void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off_t offset) {
  if (!perdure_recording) {
    return CALL(mmap)(addr, length, prot, flags, fd, offset);
  }
  struct request r = {addr, length, prot, flags, fd, offset};
  return observed_mmap(&r, __builtin_return_address(0));
}

static bool are_pages_of_pm(const void *addr, size_t length) {
  return perdure_recording && ((uint64_t)addr & (PERDURE_PAGE - 1)) == 0 && length != 0 && pm_possible(addr, length);
}

EXPORT int munmap(void *addr, size_t length) {
  if (are_pages_of_pm(addr, length)) {
    unmapping((uint64_t)addr, whole_pages(length));
  }
  return CALL(munmap)(addr, length);
}

EXPORT int mprotect(void *addr, size_t length, int prot) {
  if (are_pages_of_pm(addr, length)) {
    return library_changes_protect(addr, length, prot);
  }
  return CALL(mprotect)(addr, length, prot);
}

/* A mapping that grows beyond its area moves to another one of the window. */
static void *move_in_window(void *old, size_t old_length, size_t length, int flags, struct mapping *m) {
  if ((flags & MREMAP_FIXED) != 0 || m->addr < PERDURE_WINDOW_BASE || m->addr >= PERDURE_WINDOW_END) {
    return MAP_FAILED;
  }
  struct perdure_file *known = perdure_file_at(m->file);
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, known->path, O_PATH | O_CLOEXEC, 0, 0, 0);
  struct stat status = {.st_dev = m->dev, .st_ino = m->ino};
  void *got = MAP_FAILED;
  for (unsigned n = 0; n < MOST_AREAS && got == MAP_FAILED; n++) {
    struct perdure_file *area = pm_file_area((int)fd, &status, m->offset, whole_pages(length), n, &m->file);
    if (area == NULL) {
      break;
    }
    struct mapping taken;
    uint64_t addr = area->addr + m->offset;
    if (!mapping_in(addr, whole_pages(length), 0, &taken)) {
      got = CALL(mremap)(old, old_length, length, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)addr);
      break;
    }
  }
  if (!system_failed(fd)) {
    SYSTEM(SYS_close, fd, 0, 0);
  }
  return got;
}

/* Beyond its area begins that of another file. */
static bool may_stay(const struct mapping *m, size_t length, int flags) {
  const struct perdure_file *area = perdure_file_at(m->file);
  bool in_window = m->addr >= PERDURE_WINDOW_BASE && m->addr < PERDURE_WINDOW_END;
  return (flags & MREMAP_FIXED) == 0 && (!in_window || m->addr + length <= area->addr + area->length);
}

static void *observed_mremap(void *old, size_t old_length, size_t length, int flags, void *target, struct mapping m) {
  unmapping((uint64_t)old, whole_pages(old_length));
  errno = ENOMEM;
  void *got = may_stay(&m, length, flags) ? CALL(mremap)(old, old_length, length, 0) : MAP_FAILED;
  if (got == MAP_FAILED && (flags & MREMAP_MAYMOVE) != 0) {
    got = move_in_window(old, old_length, length, flags, &m);
    if (got == MAP_FAILED) {
      got = CALL(mremap)(old, old_length, length, flags, target);
    }
  }
  int saved = errno;
  m.addr = got == MAP_FAILED ? (uint64_t)old : (uint64_t)got;
  m.length = whole_pages(got == MAP_FAILED ? old_length : length);
  mapped(&m);
  errno = saved;
  return got;
}

EXPORT void *mremap(void *old, size_t old_length, size_t length, int flags, ...) {
  void *target = NULL;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    target = va_arg(arguments, void *);
    va_end(arguments);
  }
  struct mapping m;
  if (perdure_recording && pm_possible(old, old_length) && mapping_in((uint64_t)old, whole_pages(old_length), 0, &m)) {
    return observed_mremap(old, old_length, length, flags, target, m);
  }
  return CALL(mremap)(old, old_length, length, flags, target);
}
