/* libpmemobj: objects that are made, resized and freed inside transactions. They become persistent, or vanish, with it. */
#include "pmemobj.h"
#include "real.h"
#include <string.h>
#include <wchar.h>

struct pobj_action;

PMEMoid pmemobj_tx_alloc(size_t size, uint64_t type);
PMEMoid pmemobj_tx_xalloc(size_t size, uint64_t type, uint64_t flags);
PMEMoid pmemobj_tx_zalloc(size_t size, uint64_t type);
PMEMoid pmemobj_tx_realloc(PMEMoid oid, size_t size, uint64_t type);
PMEMoid pmemobj_tx_zrealloc(PMEMoid oid, size_t size, uint64_t type);
PMEMoid pmemobj_tx_strdup(const char *text, uint64_t type);
PMEMoid pmemobj_tx_xstrdup(const char *text, uint64_t type, uint64_t flags);
PMEMoid pmemobj_tx_wcsdup(const wchar_t *text, uint64_t type);
PMEMoid pmemobj_tx_xwcsdup(const wchar_t *text, uint64_t type, uint64_t flags);
int pmemobj_tx_free(PMEMoid oid);
int pmemobj_tx_xfree(PMEMoid oid, uint64_t flags);
int pmemobj_tx_publish(struct pobj_action *actions, size_t count);
int pmemobj_tx_xpublish(struct pobj_action *actions, size_t count, uint64_t flags);

static void remember(void *object) {
  struct transaction *tx = &perdure_self.tx;
  if (tx->allocations < TX_ALLOCATIONS) {
    tx->allocation[tx->allocations++] = object;
  }
}

static PMEMoid allocated(PMEMoid oid, size_t size, bool zeroed, bool by_user) {
  if (by_user && !oid_is_null(oid)) {
    void *object = object_address(oid);
    remember(object);
    emit_alloc(object, size, zeroed);
  }
  return oid;
}

REAL_LIBRARY(pmemobj_tx_alloc, LIBPMEMOBJ);
static PMEMoid alloc_inside(size_t size, uint64_t type) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_alloc)(size, type);
}
EXPORT PMEMoid pmemobj_tx_alloc(size_t size, uint64_t type) {
  bool by_user = BY_USER;
  return allocated(alloc_inside(size, type), size, false, by_user);
}

REAL_LIBRARY(pmemobj_tx_zalloc, LIBPMEMOBJ);
static PMEMoid zalloc_inside(size_t size, uint64_t type) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_zalloc)(size, type);
}
EXPORT PMEMoid pmemobj_tx_zalloc(size_t size, uint64_t type) {
  bool by_user = BY_USER;
  return allocated(zalloc_inside(size, type), size, true, by_user);
}

REAL_LIBRARY(pmemobj_tx_xalloc, LIBPMEMOBJ);
static PMEMoid xalloc_inside(size_t size, uint64_t type, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xalloc)(size, type, flags);
}
EXPORT PMEMoid pmemobj_tx_xalloc(size_t size, uint64_t type, uint64_t flags) {
  bool by_user = BY_USER;
  return allocated(xalloc_inside(size, type, flags), size, (flags & POBJ_XALLOC_ZERO) != 0, by_user);
}

typedef PMEMoid (*tx_realloc_fn)(PMEMoid oid, size_t size, uint64_t type);

static PMEMoid realloc_inside(tx_realloc_fn real, PMEMoid oid, size_t size, uint64_t type) {
  INSIDE_LIBRARY;
  return real(oid, size, type);
}

static PMEMoid resize(tx_realloc_fn real, PMEMoid oid, size_t size, uint64_t type, bool zeroed, bool by_user) {
  if (!by_user) {
    return realloc_inside(real, oid, size, type);
  }
  struct resizing before = resizing_begins(oid);
  if (size == 0) {
    emit_free(oid);
  }
  PMEMoid result = realloc_inside(real, oid, size, type);
  if (!oid_is_null(result)) {
    resizing_ends(before, result, size, zeroed, false);
    if (object_address(result) != before.object) {
      remember(object_address(result));
    }
  }
  return result;
}

REAL_LIBRARY(pmemobj_tx_realloc, LIBPMEMOBJ);
EXPORT PMEMoid pmemobj_tx_realloc(PMEMoid oid, size_t size, uint64_t type) {
  return resize(CALL(pmemobj_tx_realloc), oid, size, type, false, BY_USER);
}

REAL_LIBRARY(pmemobj_tx_zrealloc, LIBPMEMOBJ);
EXPORT PMEMoid pmemobj_tx_zrealloc(PMEMoid oid, size_t size, uint64_t type) {
  return resize(CALL(pmemobj_tx_zrealloc), oid, size, type, true, BY_USER);
}

/* The copy is stored inside; the commit makes it persistent. */
static PMEMoid duplicated(PMEMoid oid, size_t size, bool by_user) {
  allocated(oid, size, false, by_user);
  if (by_user && !oid_is_null(oid)) {
    emit_store(object_address(oid), object_address(oid), size);
  }
  return oid;
}

REAL_LIBRARY(pmemobj_tx_xstrdup, LIBPMEMOBJ);
static PMEMoid strdup_inside(const char *text, uint64_t type, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xstrdup)(text, type, flags);
}
EXPORT PMEMoid pmemobj_tx_xstrdup(const char *text, uint64_t type, uint64_t flags) {
  bool by_user = BY_USER;
  return duplicated(strdup_inside(text, type, flags), text != NULL ? strlen(text) + 1 : 0, by_user);
}
EXPORT PMEMoid pmemobj_tx_strdup(const char *text, uint64_t type) { return pmemobj_tx_xstrdup(text, type, 0); }

REAL_LIBRARY(pmemobj_tx_xwcsdup, LIBPMEMOBJ);
static PMEMoid wcsdup_inside(const wchar_t *text, uint64_t type, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xwcsdup)(text, type, flags);
}
EXPORT PMEMoid pmemobj_tx_xwcsdup(const wchar_t *text, uint64_t type, uint64_t flags) {
  bool by_user = BY_USER;
  return duplicated(wcsdup_inside(text, type, flags), text != NULL ? (wcslen(text) + 1) * sizeof(wchar_t) : 0, by_user);
}
EXPORT PMEMoid pmemobj_tx_wcsdup(const wchar_t *text, uint64_t type) { return pmemobj_tx_xwcsdup(text, type, 0); }

REAL_LIBRARY(pmemobj_tx_xfree, LIBPMEMOBJ);
EXPORT int pmemobj_tx_xfree(PMEMoid oid, uint64_t flags) {
  if (BY_USER) {
    emit_free(oid);
  }
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xfree)(oid, flags);
}
EXPORT int pmemobj_tx_free(PMEMoid oid) { return pmemobj_tx_xfree(oid, 0); }

REAL_LIBRARY(pmemobj_tx_xpublish, LIBPMEMOBJ);
EXPORT int pmemobj_tx_xpublish(struct pobj_action *actions, size_t count, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xpublish)(actions, count, flags);
}
EXPORT int pmemobj_tx_publish(struct pobj_action *actions, size_t count) { return pmemobj_tx_xpublish(actions, count, 0); }
