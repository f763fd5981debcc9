/* libpmemobj: what the library notes for itself inside the pool when it is told something: the user's pointer, settings, log buffers, the
 * state of volatile variables. None of it is the program's to persist. */
#include "pmemobj.h"
#include "real.h"

enum pobj_log_type { LOG_OF_ANY_TYPE };
struct pmemvlt;

void pmemobj_set_user_data(PMEMobjpool *pool, void *data);
int pmemobj_ctl_get(PMEMobjpool *pool, const char *name, void *argument);
int pmemobj_ctl_set(PMEMobjpool *pool, const char *name, void *argument);
int pmemobj_ctl_exec(PMEMobjpool *pool, const char *name, void *argument);
int pmemobj_tx_log_append_buffer(enum pobj_log_type type, void *addr, size_t size);
int pmemobj_tx_xlog_append_buffer(enum pobj_log_type type, void *addr, size_t size, uint64_t flags);
int pmemobj_tx_log_auto_alloc(enum pobj_log_type type, int on);
void *pmemobj_volatile(PMEMobjpool *pool, struct pmemvlt *state, void *data, size_t size, int (*constructor)(void *data, void *argument),
                       void *argument);

REAL_LIBRARY(pmemobj_set_user_data, LIBPMEMOBJ);
EXPORT void pmemobj_set_user_data(PMEMobjpool *pool, void *data) {
  INSIDE_LIBRARY;
  CALL(pmemobj_set_user_data)(pool, data);
}

REAL_LIBRARY(pmemobj_ctl_get, LIBPMEMOBJ);
EXPORT int pmemobj_ctl_get(PMEMobjpool *pool, const char *name, void *argument) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_ctl_get)(pool, name, argument);
}

REAL_LIBRARY(pmemobj_ctl_set, LIBPMEMOBJ);
EXPORT int pmemobj_ctl_set(PMEMobjpool *pool, const char *name, void *argument) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_ctl_set)(pool, name, argument);
}

REAL_LIBRARY(pmemobj_ctl_exec, LIBPMEMOBJ);
EXPORT int pmemobj_ctl_exec(PMEMobjpool *pool, const char *name, void *argument) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_ctl_exec)(pool, name, argument);
}

REAL_LIBRARY(pmemobj_tx_log_append_buffer, LIBPMEMOBJ);
EXPORT int pmemobj_tx_log_append_buffer(enum pobj_log_type type, void *addr, size_t size) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_log_append_buffer)(type, addr, size);
}

REAL_LIBRARY(pmemobj_tx_xlog_append_buffer, LIBPMEMOBJ);
EXPORT int pmemobj_tx_xlog_append_buffer(enum pobj_log_type type, void *addr, size_t size, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xlog_append_buffer)(type, addr, size, flags);
}

REAL_LIBRARY(pmemobj_tx_log_auto_alloc, LIBPMEMOBJ);
EXPORT int pmemobj_tx_log_auto_alloc(enum pobj_log_type type, int on) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_log_auto_alloc)(type, on);
}

/* The constructor's stores make a variable that is volatile by its nature. */
REAL_LIBRARY(pmemobj_volatile, LIBPMEMOBJ);
EXPORT void *pmemobj_volatile(PMEMobjpool *pool, struct pmemvlt *state, void *data, size_t size, int (*constructor)(void *, void *),
                              void *argument) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_volatile)(pool, state, data, size, constructor, argument);
}
