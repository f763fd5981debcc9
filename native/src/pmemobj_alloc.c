/* libpmemobj: allocation without transactions, reservations, lists. */
#include "pmemobj.h"
#include "real.h"
#include <string.h>
#include <wchar.h>

struct pobj_action;
struct pobj_defrag_result;

int pmemobj_alloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type, pmemobj_constr constructor, void *argument);
int pmemobj_xalloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type, uint64_t flags, pmemobj_constr constructor, void *argument);
int pmemobj_zalloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type);
int pmemobj_realloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type);
int pmemobj_zrealloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type);
int pmemobj_strdup(PMEMobjpool *pool, PMEMoid *oid, const char *text, uint64_t type);
int pmemobj_wcsdup(PMEMobjpool *pool, PMEMoid *oid, const wchar_t *text, uint64_t type);
void pmemobj_free(PMEMoid *oid);
int pmemobj_defrag(PMEMobjpool *pool, PMEMoid **oids, size_t count, struct pobj_defrag_result *result);
PMEMoid pmemobj_reserve(PMEMobjpool *pool, struct pobj_action *action, size_t size, uint64_t type);
PMEMoid pmemobj_xreserve(PMEMobjpool *pool, struct pobj_action *action, size_t size, uint64_t type, uint64_t flags);
void pmemobj_set_value(PMEMobjpool *pool, struct pobj_action *action, uint64_t *where, uint64_t value);
void pmemobj_defer_free(PMEMobjpool *pool, PMEMoid oid, struct pobj_action *action);
int pmemobj_publish(PMEMobjpool *pool, struct pobj_action *actions, size_t count);
void pmemobj_cancel(PMEMobjpool *pool, struct pobj_action *actions, size_t count);
int pmemobj_list_insert(PMEMobjpool *pool, size_t entry, void *head, PMEMoid dest, int before, PMEMoid oid);
PMEMoid pmemobj_list_insert_new(PMEMobjpool *pool, size_t entry, void *head, PMEMoid dest, int before, size_t size, uint64_t type,
                                pmemobj_constr constructor, void *argument);
int pmemobj_list_remove(PMEMobjpool *pool, size_t entry, void *head, PMEMoid oid, int free_it);
int pmemobj_list_move(PMEMobjpool *pool, size_t old_entry, void *old_head, size_t new_entry, void *new_head, PMEMoid dest, int before,
                      PMEMoid oid);

/* Our constructor goes along even where the program has none: it learns the address before the object is published. */
REAL_LIBRARY(pmemobj_alloc, LIBPMEMOBJ);
EXPORT int pmemobj_alloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type, pmemobj_constr constructor, void *argument) {
  struct construction construction = {constructor, argument, BY_USER ? size : 0, false, place_of_caller(&perdure_self)};
  INSIDE_LIBRARY;
  return CALL(pmemobj_alloc)(pool, oid, size, type, construct, &construction);
}

REAL_LIBRARY(pmemobj_xalloc, LIBPMEMOBJ);
EXPORT int pmemobj_xalloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type, uint64_t flags, pmemobj_constr constructor,
                          void *argument) {
  struct construction construction = {constructor, argument, BY_USER ? size : 0, (flags & POBJ_XALLOC_ZERO) != 0,
                                      place_of_caller(&perdure_self)};
  INSIDE_LIBRARY;
  return CALL(pmemobj_xalloc)(pool, oid, size, type, flags, construct, &construction);
}

REAL_LIBRARY(pmemobj_zalloc, LIBPMEMOBJ);
static int zalloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_zalloc)(pool, oid, size, type);
}
EXPORT int pmemobj_zalloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type) {
  bool by_user = BY_USER;
  int result = zalloc(pool, oid, size, type);
  if (by_user && result == 0 && oid != NULL) {
    emit_alloc(object_address(*oid), size, true);
  }
  return result;
}

typedef int (*realloc_fn)(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type);

static int resize_inside(realloc_fn real, PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type) {
  INSIDE_LIBRARY;
  return real(pool, oid, size, type);
}

static int resize(realloc_fn real, PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type, bool zeroed, bool by_user) {
  if (!by_user) {
    return resize_inside(real, pool, oid, size, type);
  }
  struct resizing before = resizing_begins(*oid);
  if (size == 0) {
    emit_free(*oid);
  }
  int result = resize_inside(real, pool, oid, size, type);
  if (result == 0 && size != 0) {
    resizing_ends(before, *oid, size, zeroed, true);
  }
  return result;
}

REAL_LIBRARY(pmemobj_realloc, LIBPMEMOBJ);
EXPORT int pmemobj_realloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type) {
  return resize(CALL(pmemobj_realloc), pool, oid, size, type, false, BY_USER);
}

REAL_LIBRARY(pmemobj_zrealloc, LIBPMEMOBJ);
EXPORT int pmemobj_zrealloc(PMEMobjpool *pool, PMEMoid *oid, size_t size, uint64_t type) {
  return resize(CALL(pmemobj_zrealloc), pool, oid, size, type, true, BY_USER);
}

/* A copy of a string is stored and persisted inside the allocating call. */
static void duplicated(const PMEMoid *oid, size_t size) {
  if (oid != NULL && !oid_is_null(*oid)) {
    void *object = object_address(*oid);
    emit_alloc(object, size, false);
    emit_store(object, object, size);
    emit_persist(STAMP_AFTER, PERDURE_PERSIST_LIBRARY, object, size);
  }
}

REAL_LIBRARY(pmemobj_strdup, LIBPMEMOBJ);
static int duplicate(PMEMobjpool *pool, PMEMoid *oid, const char *text, uint64_t type) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_strdup)(pool, oid, text, type);
}
EXPORT int pmemobj_strdup(PMEMobjpool *pool, PMEMoid *oid, const char *text, uint64_t type) {
  bool by_user = BY_USER;
  int result = duplicate(pool, oid, text, type);
  if (by_user && result == 0) {
    duplicated(oid, strlen(text) + 1);
  }
  return result;
}

REAL_LIBRARY(pmemobj_wcsdup, LIBPMEMOBJ);
static int duplicate_wide(PMEMobjpool *pool, PMEMoid *oid, const wchar_t *text, uint64_t type) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_wcsdup)(pool, oid, text, type);
}
EXPORT int pmemobj_wcsdup(PMEMobjpool *pool, PMEMoid *oid, const wchar_t *text, uint64_t type) {
  bool by_user = BY_USER;
  int result = duplicate_wide(pool, oid, text, type);
  if (by_user && result == 0) {
    duplicated(oid, (wcslen(text) + 1) * sizeof(wchar_t));
  }
  return result;
}

REAL_LIBRARY(pmemobj_free, LIBPMEMOBJ);
EXPORT void pmemobj_free(PMEMoid *oid) {
  if (BY_USER) {
    emit_free(*oid);
  }
  INSIDE_LIBRARY;
  CALL(pmemobj_free)(oid);
}

REAL_LIBRARY(pmemobj_defrag, LIBPMEMOBJ);
EXPORT int pmemobj_defrag(PMEMobjpool *pool, PMEMoid **oids, size_t count, struct pobj_defrag_result *result) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_defrag)(pool, oids, count, result);
}

REAL_LIBRARY(pmemobj_xreserve, LIBPMEMOBJ);
static PMEMoid reserve(PMEMobjpool *pool, struct pobj_action *action, size_t size, uint64_t type, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_xreserve)(pool, action, size, type, flags);
}
EXPORT PMEMoid pmemobj_xreserve(PMEMobjpool *pool, struct pobj_action *action, size_t size, uint64_t type, uint64_t flags) {
  bool by_user = BY_USER;
  PMEMoid oid = reserve(pool, action, size, type, flags);
  if (by_user && !oid_is_null(oid)) {
    emit_alloc(object_address(oid), size, (flags & POBJ_XALLOC_ZERO) != 0);
  }
  return oid;
}

EXPORT PMEMoid pmemobj_reserve(PMEMobjpool *pool, struct pobj_action *action, size_t size, uint64_t type) {
  return pmemobj_xreserve(pool, action, size, type, 0);
}

REAL_LIBRARY(pmemobj_set_value, LIBPMEMOBJ);
EXPORT void pmemobj_set_value(PMEMobjpool *pool, struct pobj_action *action, uint64_t *where, uint64_t value) {
  INSIDE_LIBRARY;
  CALL(pmemobj_set_value)(pool, action, where, value);
}

REAL_LIBRARY(pmemobj_defer_free, LIBPMEMOBJ);
EXPORT void pmemobj_defer_free(PMEMobjpool *pool, PMEMoid oid, struct pobj_action *action) {
  if (BY_USER) {
    emit_free(oid);
  }
  INSIDE_LIBRARY;
  CALL(pmemobj_defer_free)(pool, oid, action);
}

REAL_LIBRARY(pmemobj_publish, LIBPMEMOBJ);
EXPORT int pmemobj_publish(PMEMobjpool *pool, struct pobj_action *actions, size_t count) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_publish)(pool, actions, count);
}

REAL_LIBRARY(pmemobj_cancel, LIBPMEMOBJ);
EXPORT void pmemobj_cancel(PMEMobjpool *pool, struct pobj_action *actions, size_t count) {
  INSIDE_LIBRARY;
  CALL(pmemobj_cancel)(pool, actions, count);
}

REAL_LIBRARY(pmemobj_list_insert, LIBPMEMOBJ);
EXPORT int pmemobj_list_insert(PMEMobjpool *pool, size_t entry, void *head, PMEMoid dest, int before, PMEMoid oid) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_list_insert)(pool, entry, head, dest, before, oid);
}

REAL_LIBRARY(pmemobj_list_insert_new, LIBPMEMOBJ);
EXPORT PMEMoid pmemobj_list_insert_new(PMEMobjpool *pool, size_t entry, void *head, PMEMoid dest, int before, size_t size, uint64_t type,
                                       pmemobj_constr constructor, void *argument) {
  struct construction construction = {constructor, argument, BY_USER ? size : 0, false, place_of_caller(&perdure_self)};
  INSIDE_LIBRARY;
  return CALL(pmemobj_list_insert_new)(pool, entry, head, dest, before, size, type, construct, &construction);
}

REAL_LIBRARY(pmemobj_list_remove, LIBPMEMOBJ);
EXPORT int pmemobj_list_remove(PMEMobjpool *pool, size_t entry, void *head, PMEMoid oid, int free_it) {
  if (BY_USER && free_it) {
    emit_free(oid);
  }
  INSIDE_LIBRARY;
  return CALL(pmemobj_list_remove)(pool, entry, head, oid, free_it);
}

REAL_LIBRARY(pmemobj_list_move, LIBPMEMOBJ);
EXPORT int pmemobj_list_move(PMEMobjpool *pool, size_t old_entry, void *old_head, size_t new_entry, void *new_head, PMEMoid dest,
                             int before, PMEMoid oid) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_list_move)(pool, old_entry, old_head, new_entry, new_head, dest, before, oid);
}
