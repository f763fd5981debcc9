/* libpmemobj: pools, root objects, and persistence without transactions. */
#include "pmemobj.h"
#include "real.h"
#include <sys/types.h>

PMEMobjpool *pmemobj_open(const char *path, const char *layout);
PMEMobjpool *pmemobj_create(const char *path, const char *layout, size_t size, mode_t mode);
void pmemobj_close(PMEMobjpool *pool);
int pmemobj_check(const char *path, const char *layout);
PMEMoid pmemobj_root(PMEMobjpool *pool, size_t size);
PMEMoid pmemobj_root_construct(PMEMobjpool *pool, size_t size, pmemobj_constr constructor, void *argument);
size_t pmemobj_root_size(PMEMobjpool *pool);
void pmemobj_persist(PMEMobjpool *pool, const void *addr, size_t length);
void pmemobj_flush(PMEMobjpool *pool, const void *addr, size_t length);
void pmemobj_drain(PMEMobjpool *pool);
int pmemobj_xpersist(PMEMobjpool *pool, const void *addr, size_t length, unsigned flags);
int pmemobj_xflush(PMEMobjpool *pool, const void *addr, size_t length, unsigned flags);
void *pmemobj_memcpy(PMEMobjpool *pool, void *to, const void *from, size_t length, unsigned flags);
void *pmemobj_memmove(PMEMobjpool *pool, void *to, const void *from, size_t length, unsigned flags);
void *pmemobj_memset(PMEMobjpool *pool, void *to, int byte, size_t length, unsigned flags);
void *pmemobj_memcpy_persist(PMEMobjpool *pool, void *to, const void *from, size_t length);
void *pmemobj_memset_persist(PMEMobjpool *pool, void *to, int byte, size_t length);

REAL_LIBRARY(pmemobj_open, LIBPMEMOBJ);
EXPORT PMEMobjpool *pmemobj_open(const char *path, const char *layout) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_open)(path, layout);
}

REAL_LIBRARY(pmemobj_create, LIBPMEMOBJ);
EXPORT PMEMobjpool *pmemobj_create(const char *path, const char *layout, size_t size, mode_t mode) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_create)(path, layout, size, mode);
}

REAL_LIBRARY(pmemobj_close, LIBPMEMOBJ);
EXPORT void pmemobj_close(PMEMobjpool *pool) {
  INSIDE_LIBRARY;
  CALL(pmemobj_close)(pool);
}

REAL_LIBRARY(pmemobj_check, LIBPMEMOBJ);
EXPORT int pmemobj_check(const char *path, const char *layout) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_check)(path, layout);
}

/* A root object is zeroed and persistent from the start; only what it did not have before is new. */
REAL_LIBRARY(pmemobj_root_size, LIBPMEMOBJ);
static size_t root_size(PMEMobjpool *pool) {
  QUIETLY;
  return CALL(pmemobj_root_size)(pool);
}

REAL_LIBRARY(pmemobj_root_construct, LIBPMEMOBJ);
static PMEMoid root(PMEMobjpool *pool, size_t size, pmemobj_constr constructor, void *argument, bool by_user) {
  size_t before = by_user ? root_size(pool) : 0;
  bool constructs = constructor != NULL && before == 0;
  struct construction construction = {constructor, argument, by_user && before == 0 ? size : 0, true, place_of_caller(&perdure_self)};
  PMEMoid oid;
  {
    INSIDE_LIBRARY;
    oid = CALL(pmemobj_root_construct)(pool, size, constructor != NULL ? construct : NULL, &construction);
  }
  if (by_user && !constructs && size > before && !oid_is_null(oid)) {
    emit_alloc((char *)object_address(oid) + before, size - before, true);
  }
  return oid;
}

EXPORT PMEMoid pmemobj_root(PMEMobjpool *pool, size_t size) { return root(pool, size, NULL, NULL, BY_USER); }

EXPORT PMEMoid pmemobj_root_construct(PMEMobjpool *pool, size_t size, pmemobj_constr constructor, void *argument) {
  return root(pool, size, constructor, argument, BY_USER);
}

REAL_LIBRARY(pmemobj_persist, LIBPMEMOBJ);
EXPORT void pmemobj_persist(PMEMobjpool *pool, const void *addr, size_t length) {
  if (watching()) {
    emit_persist(STAMP_BEFORE, PERDURE_PERSIST_LIBRARY, addr, length);
  }
  QUIETLY;
  CALL(pmemobj_persist)(pool, addr, length);
}

REAL_LIBRARY(pmemobj_xpersist, LIBPMEMOBJ);
EXPORT int pmemobj_xpersist(PMEMobjpool *pool, const void *addr, size_t length, unsigned flags) {
  if (watching()) {
    emit_persist(STAMP_BEFORE, PERDURE_PERSIST_LIBRARY, addr, length);
  }
  QUIETLY;
  return CALL(pmemobj_xpersist)(pool, addr, length, flags);
}

REAL_LIBRARY(pmemobj_flush, LIBPMEMOBJ);
EXPORT void pmemobj_flush(PMEMobjpool *pool, const void *addr, size_t length) {
  if (watching()) {
    emit_flush(addr, length);
  }
  QUIETLY;
  CALL(pmemobj_flush)(pool, addr, length);
}

REAL_LIBRARY(pmemobj_xflush, LIBPMEMOBJ);
EXPORT int pmemobj_xflush(PMEMobjpool *pool, const void *addr, size_t length, unsigned flags) {
  if (watching()) {
    emit_flush(addr, length);
  }
  QUIETLY;
  return CALL(pmemobj_xflush)(pool, addr, length, flags);
}

REAL_LIBRARY(pmemobj_drain, LIBPMEMOBJ);
EXPORT void pmemobj_drain(PMEMobjpool *pool) {
  if (watching()) {
    emit_drain();
  }
  QUIETLY;
  CALL(pmemobj_drain)(pool);
}

#define COPIES(name, strength, ...)                                                                                                        \
  bool watched = watching();                                                                                                               \
  if (watched) {                                                                                                                           \
    copy_begins(to, from, length, strength);                                                                                               \
  }                                                                                                                                        \
  {                                                                                                                                        \
    QUIETLY;                                                                                                                               \
    CALL(name)(pool, to, from, length, ##__VA_ARGS__);                                                                                     \
  }                                                                                                                                        \
  if (watched) {                                                                                                                           \
    copy_ends(to, from, length, strength);                                                                                                 \
  }                                                                                                                                        \
  return to

#define FILLS(name, strength, ...)                                                                                                         \
  bool watched = watching();                                                                                                               \
  if (watched) {                                                                                                                           \
    fill_begins(to, byte, length, strength);                                                                                               \
  }                                                                                                                                        \
  {                                                                                                                                        \
    QUIETLY;                                                                                                                               \
    CALL(name)(pool, to, byte, length, ##__VA_ARGS__);                                                                                     \
  }                                                                                                                                        \
  if (watched) {                                                                                                                           \
    copy_ends(to, NULL, length, strength);                                                                                                 \
  }                                                                                                                                        \
  return to

REAL_LIBRARY(pmemobj_memcpy, LIBPMEMOBJ);
EXPORT void *pmemobj_memcpy(PMEMobjpool *pool, void *to, const void *from, size_t length, unsigned flags) {
  COPIES(pmemobj_memcpy, copy_strength(flags), flags);
}

REAL_LIBRARY(pmemobj_memmove, LIBPMEMOBJ);
EXPORT void *pmemobj_memmove(PMEMobjpool *pool, void *to, const void *from, size_t length, unsigned flags) {
  COPIES(pmemobj_memmove, copy_strength(flags), flags);
}

REAL_LIBRARY(pmemobj_memset, LIBPMEMOBJ);
EXPORT void *pmemobj_memset(PMEMobjpool *pool, void *to, int byte, size_t length, unsigned flags) {
  FILLS(pmemobj_memset, copy_strength(flags), flags);
}

REAL_LIBRARY(pmemobj_memcpy_persist, LIBPMEMOBJ);
EXPORT void *pmemobj_memcpy_persist(PMEMobjpool *pool, void *to, const void *from, size_t length) {
  COPIES(pmemobj_memcpy_persist, COPY_PERSISTED);
}

REAL_LIBRARY(pmemobj_memset_persist, LIBPMEMOBJ);
EXPORT void *pmemobj_memset_persist(PMEMobjpool *pool, void *to, int byte, size_t length) {
  FILLS(pmemobj_memset_persist, COPY_PERSISTED);
}
