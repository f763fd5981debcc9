#include "pmemobj.h"
#include "real.h"

void *pmemobj_direct(PMEMoid oid);
size_t pmemobj_alloc_usable_size(PMEMoid oid);
REAL_LIBRARY(pmemobj_direct, LIBPMEMOBJ);
REAL_LIBRARY(pmemobj_alloc_usable_size, LIBPMEMOBJ);

void *object_address(PMEMoid oid) {
  QUIETLY;
  return oid_is_null(oid) ? NULL : CALL(pmemobj_direct)(oid);
}

size_t object_size(PMEMoid oid) {
  QUIETLY;
  return oid_is_null(oid) ? 0 : CALL(pmemobj_alloc_usable_size)(oid);
}

void emit_alloc(const void *object, uint64_t size, bool zeroed) {
  if (object != NULL && size != 0) {
    emit(STAMP_AFTER, PERDURE_EV_ALLOC, zeroed, object, size);
  }
}

void emit_free(PMEMoid oid) {
  void *object = object_address(oid);
  if (object != NULL) {
    emit(STAMP_BEFORE, PERDURE_EV_FREE, 0, object, object_size(oid));
  }
}

int construct(PMEMobjpool *pool, void *object, void *of) {
  struct construction *construction = of;
  OUTSIDE_LIBRARY;
  if (watching() && construction->size != 0) {
    record(STAMP_AFTER, PERDURE_EV_ALLOC, construction->zeroed, (uint64_t)object, construction->size, construction->by.site,
           construction->by.stack);
    act_at(construction->by.site);
  }
  return construction->constructor != NULL ? construction->constructor(pool, object, construction->argument) : 0;
}

struct resizing resizing_begins(PMEMoid oid) { return (struct resizing){object_address(oid), object_size(oid)}; }

/* The library copied the contents before the new object was known here: they are stored once more for the record. */
static void moved(struct resizing before, void *object, uint64_t size, bool zeroed, bool persisted) {
  if (before.object != NULL) {
    emit(STAMP_BEFORE, PERDURE_EV_FREE, 0, before.object, before.size);
  }
  emit_alloc(object, size, zeroed);
  size_t kept = before.size < size ? before.size : size;
  if (kept != 0) {
    emit_store(object, object, kept);
    if (persisted) {
      emit_persist(STAMP_AFTER, PERDURE_PERSIST_LIBRARY, object, kept);
    }
  }
}

void resizing_ends(struct resizing before, PMEMoid oid, uint64_t size, bool zeroed, bool persisted) {
  char *object = object_address(oid);
  if (object == NULL) {
    return;
  }
  if (object != before.object) {
    moved(before, object, size, zeroed, persisted);
  } else if (size > before.size) {
    emit_alloc(object + before.size, size - before.size, zeroed);
  }
}
