/* libpmem: each call is one flush, fence, copy or mapping of whoever called it, the program or another library. */
#include "library.h"
#include "library_changes.h"
#include "real.h"
#include <sys/types.h>

void *pmem_map_file(const char *path, size_t length, int flags, mode_t mode, size_t *mapped, int *is_pmem);
int pmem_unmap(void *addr, size_t length);
void pmem_persist(const void *addr, size_t length);
int pmem_msync(const void *addr, size_t length);
void pmem_flush(const void *addr, size_t length);
void pmem_drain(void);
void pmem_deep_flush(const void *addr, size_t length);
int pmem_deep_drain(const void *addr, size_t length);
int pmem_deep_persist(const void *addr, size_t length);
void *pmem_memcpy(void *to, const void *from, size_t length, unsigned flags);
void *pmem_memmove(void *to, const void *from, size_t length, unsigned flags);
void *pmem_memset(void *to, int byte, size_t length, unsigned flags);
void *pmem_memcpy_persist(void *to, const void *from, size_t length);
void *pmem_memmove_persist(void *to, const void *from, size_t length);
void *pmem_memset_persist(void *to, int byte, size_t length);
void *pmem_memcpy_nodrain(void *to, const void *from, size_t length);
void *pmem_memmove_nodrain(void *to, const void *from, size_t length);
void *pmem_memset_nodrain(void *to, int byte, size_t length);

REAL_LIBRARY(pmem_map_file, LIBPMEM);
EXPORT void *pmem_map_file(const char *path, size_t length, int flags, mode_t mode, size_t *mapped, int *is_pmem) {
  INSIDE_LIBRARY;
  return CALL(pmem_map_file)(path, length, flags, mode, mapped, is_pmem);
}

REAL_LIBRARY(pmem_unmap, LIBPMEM);
EXPORT int pmem_unmap(void *addr, size_t length) {
  INSIDE_LIBRARY;
  return CALL(pmem_unmap)(addr, length);
}

REAL_LIBRARY(pmem_persist, LIBPMEM);
EXPORT void pmem_persist(const void *addr, size_t length) {
  if (watching()) {
    emit_persist(STAMP_BEFORE, PERDURE_PERSIST_LIBRARY, addr, length);
  }
  QUIETLY;
  CALL(pmem_persist)(addr, length);
}

REAL_LIBRARY(pmem_msync, LIBPMEM);
static int quiet_msync(const void *addr, size_t length) {
  QUIETLY;
  return CALL(pmem_msync)(addr, length);
}

EXPORT int pmem_msync(const void *addr, size_t length) {
  library_changes_record();
  int result = quiet_msync(addr, length);
  if (result == 0 && watching() && pm_is(addr, length)) {
    emit(STAMP_AFTER, PERDURE_EV_PERSIST, PERDURE_PERSIST_MSYNC, addr, length);
  }
  return result;
}

REAL_LIBRARY(pmem_flush, LIBPMEM);
EXPORT void pmem_flush(const void *addr, size_t length) {
  if (watching()) {
    emit_flush(addr, length);
  }
  QUIETLY;
  CALL(pmem_flush)(addr, length);
}

REAL_LIBRARY(pmem_drain, LIBPMEM);
EXPORT void pmem_drain(void) {
  if (watching()) {
    emit_drain();
  }
  QUIETLY;
  CALL(pmem_drain)();
}

REAL_LIBRARY(pmem_deep_flush, LIBPMEM);
EXPORT void pmem_deep_flush(const void *addr, size_t length) {
  if (watching()) {
    emit_flush(addr, length);
  }
  QUIETLY;
  CALL(pmem_deep_flush)(addr, length);
}

REAL_LIBRARY(pmem_deep_drain, LIBPMEM);
EXPORT int pmem_deep_drain(const void *addr, size_t length) {
  if (watching()) {
    emit_drain();
  }
  QUIETLY;
  return CALL(pmem_deep_drain)(addr, length);
}

REAL_LIBRARY(pmem_deep_persist, LIBPMEM);
EXPORT int pmem_deep_persist(const void *addr, size_t length) {
  if (watching()) {
    emit_persist(STAMP_BEFORE, PERDURE_PERSIST_DEEP, addr, length);
  }
  QUIETLY;
  return CALL(pmem_deep_persist)(addr, length);
}

/* The body of a copy: the store before it, the call itself in silence, its loads and its persistence after it. */
#define COPY(name, strength, from, begins, ...)                                                                                            \
  if (!watching()) {                                                                                                                       \
    return CALL(name)(__VA_ARGS__);                                                                                                        \
  }                                                                                                                                        \
  enum copy_strength how = strength;                                                                                                       \
  begins;                                                                                                                                  \
  {                                                                                                                                        \
    QUIETLY;                                                                                                                               \
    CALL(name)(__VA_ARGS__);                                                                                                               \
  }                                                                                                                                        \
  copy_ends(to, from, length, how);                                                                                                        \
  return to

#define COPIES(name, strength, ...) COPY(name, strength, from, copy_begins(to, from, length, how), to, from, length, ##__VA_ARGS__)
#define FILLS(name, strength, ...) COPY(name, strength, NULL, fill_begins(to, byte, length, how), to, byte, length, ##__VA_ARGS__)

REAL_LIBRARY(pmem_memcpy, LIBPMEM);
EXPORT void *pmem_memcpy(void *to, const void *from, size_t length, unsigned flags) {
  COPIES(pmem_memcpy, copy_strength(flags), flags);
}

REAL_LIBRARY(pmem_memmove, LIBPMEM);
EXPORT void *pmem_memmove(void *to, const void *from, size_t length, unsigned flags) {
  COPIES(pmem_memmove, copy_strength(flags), flags);
}

REAL_LIBRARY(pmem_memset, LIBPMEM);
EXPORT void *pmem_memset(void *to, int byte, size_t length, unsigned flags) { FILLS(pmem_memset, copy_strength(flags), flags); }

REAL_LIBRARY(pmem_memcpy_persist, LIBPMEM);
EXPORT void *pmem_memcpy_persist(void *to, const void *from, size_t length) { COPIES(pmem_memcpy_persist, COPY_PERSISTED); }

REAL_LIBRARY(pmem_memmove_persist, LIBPMEM);
EXPORT void *pmem_memmove_persist(void *to, const void *from, size_t length) { COPIES(pmem_memmove_persist, COPY_PERSISTED); }

REAL_LIBRARY(pmem_memset_persist, LIBPMEM);
EXPORT void *pmem_memset_persist(void *to, int byte, size_t length) { FILLS(pmem_memset_persist, COPY_PERSISTED); }

REAL_LIBRARY(pmem_memcpy_nodrain, LIBPMEM);
EXPORT void *pmem_memcpy_nodrain(void *to, const void *from, size_t length) { COPIES(pmem_memcpy_nodrain, COPY_PENDING); }

REAL_LIBRARY(pmem_memmove_nodrain, LIBPMEM);
EXPORT void *pmem_memmove_nodrain(void *to, const void *from, size_t length) { COPIES(pmem_memmove_nodrain, COPY_PENDING); }

REAL_LIBRARY(pmem_memset_nodrain, LIBPMEM);
EXPORT void *pmem_memset_nodrain(void *to, int byte, size_t length) { FILLS(pmem_memset_nodrain, COPY_PENDING); }
