/* What the wrappers of libpmemobj need of its types, and what they share. */
#ifndef PERDURE_PMEMOBJ_H
#define PERDURE_PMEMOBJ_H
#include "library.h"

typedef struct pmemobjpool PMEMobjpool;
typedef struct {
  uint64_t pool;
  uint64_t offset;
} PMEMoid;
typedef int (*pmemobj_constr)(PMEMobjpool *pool, void *object, void *argument);

#define POBJ_XALLOC_ZERO (UINT64_C(1) << 0)

static inline bool oid_is_null(PMEMoid oid) { return oid.offset == 0; }
/* Where an object is; null for the null object. */
void *object_address(PMEMoid oid);
size_t object_size(PMEMoid oid);

void emit_alloc(const void *object, uint64_t size, bool zeroed);
void emit_free(PMEMoid oid);

/* A constructor of user code that a library calls: the library is left for its time. With a size, the allocation itself is
 * recorded before it. */
struct construction {
  pmemobj_constr constructor;
  void *argument;
  uint64_t size; /* 0: nothing to record */
  bool zeroed;
  struct place by; /* the allocating call: the library lies between it and the constructor */
};
int construct(PMEMobjpool *pool, void *object, void *construction);

/* What became of an object that was moved or resized. */
struct resizing {
  void *object;
  size_t size;
};
struct resizing resizing_begins(PMEMoid oid);
void resizing_ends(struct resizing before, PMEMoid oid, uint64_t size, bool zeroed, bool persisted);

#endif
