/* libpmemobj: transactions. What a transaction does at its end shows as flushes and fences between ENTER and LEAVE; here come
 * its boundaries, its ranges and its locks.
 *
 * An abort may jump from any of these functions to the environment of tx_begin: see transaction_jumped. */
#include "pmemobj.h"
#include "real.h"
#include <stdarg.h>

enum { TX_STAGE_NONE, TX_STAGE_WORK, TX_STAGE_ONCOMMIT, TX_STAGE_ONABORT, TX_STAGE_FINALLY };
enum { TX_PARAM_NONE, TX_PARAM_MUTEX, TX_PARAM_RWLOCK, TX_PARAM_CB };
typedef void (*tx_callback)(PMEMobjpool *pool, int stage, void *argument);

int pmemobj_tx_stage(void);
int pmemobj_tx_begin(PMEMobjpool *pool, void *environment, ...);
int pmemobj_tx_lock(int type, void *lock);
int pmemobj_tx_xlock(int type, void *lock, uint64_t flags);
void pmemobj_tx_abort(int error);
void pmemobj_tx_commit(void);
int pmemobj_tx_end(void);
void pmemobj_tx_process(void);
int pmemobj_tx_errno(void);
int pmemobj_tx_add_range(PMEMoid oid, uint64_t offset, size_t size);
int pmemobj_tx_add_range_direct(const void *addr, size_t size);
int pmemobj_tx_xadd_range(PMEMoid oid, uint64_t offset, size_t size, uint64_t flags);
int pmemobj_tx_xadd_range_direct(const void *addr, size_t size, uint64_t flags);

REAL_LIBRARY(pmemobj_tx_stage, LIBPMEMOBJ);
REAL_LIBRARY(pmemobj_tx_errno, LIBPMEMOBJ);

static struct transaction *transaction(void) { return &perdure_self.tx; }

/* Objects of an aborted transaction are no more. */
static void aborted(struct transaction *tx) {
  if (tx->aborted) {
    return;
  }
  tx->aborted = true;
  emit(STAMP_BEFORE, PERDURE_EV_TX_ABORT, 0, NULL, 0);
  for (uint32_t i = 0; i < tx->allocations; i++) {
    emit(STAMP_BEFORE, PERDURE_EV_FREE, 0, tx->allocation[i], 0);
  }
  tx->allocations = 0;
}

void transaction_jumped(void) {
  struct transaction *tx = transaction();
  if (tx->depth != 0 && watching()) {
    aborted(tx);
  }
}

static void took(void *lock) {
  struct transaction *tx = transaction();
  emit(STAMP_AFTER, PERDURE_EV_ACQUIRE, 0, lock, 0);
  if (tx->locks < TX_LOCKS) {
    tx->lock[tx->locks++] = lock;
  }
}

static void call_back(PMEMobjpool *pool, int stage, void *of) {
  struct transaction *tx = of;
  OUTSIDE_LIBRARY;
  tx->callback(pool, stage, tx->callback_argument);
}

/* The parameters of tx_begin as the words they are on the stack, so that they can be handed on. */
#define WORDS 32
struct parameters {
  uint64_t word[WORDS];
  unsigned words;
  void *lock[WORDS / 2];
  unsigned locks;
};

static void add_word(struct parameters *parameters, uint64_t word) {
  if (parameters->words < WORDS - 1) {
    parameters->word[parameters->words++] = word;
  }
}

/* The library wants the same callback and argument at every level: ours stand for the program's at all of them. */
static void add_callback(struct parameters *parameters, tx_callback callback, void *argument) {
  struct transaction *tx = transaction();
  if (tx->callback == NULL) {
    tx->callback = (void (*)(void *, int, void *))callback;
    tx->callback_argument = argument;
  }
  bool ours = tx->callback == (void (*)(void *, int, void *))callback && tx->callback_argument == argument;
  add_word(parameters, ours ? (uint64_t)call_back : (uint64_t)callback);
  add_word(parameters, ours ? (uint64_t)tx : (uint64_t)argument);
}

/* What lies behind the last parameter is not looked at. */
static void collect(struct parameters *parameters, va_list arguments) {
  for (int type = va_arg(arguments, int); type != TX_PARAM_NONE; type = va_arg(arguments, int)) {
    add_word(parameters, (uint64_t)type);
    if (type == TX_PARAM_CB) {
      tx_callback callback = va_arg(arguments, tx_callback);
      add_callback(parameters, callback, va_arg(arguments, void *));
      continue;
    }
    void *lock = va_arg(arguments, void *);
    add_word(parameters, (uint64_t)lock);
    if (parameters->locks < WORDS / 2) {
      parameters->lock[parameters->locks++] = lock;
    }
  }
  parameters->word[parameters->words] = TX_PARAM_NONE;
}

REAL_LIBRARY(pmemobj_tx_begin, LIBPMEMOBJ);
static int begin_inside(PMEMobjpool *pool, void *environment, const uint64_t *w) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_begin)(pool, environment, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13],
                                w[14], w[15], w[16], w[17], w[18], w[19], w[20], w[21], w[22], w[23], w[24], w[25], w[26], w[27], w[28],
                                w[29], w[30], w[31]);
}

EXPORT int pmemobj_tx_begin(PMEMobjpool *pool, void *environment, ...) {
  struct transaction *tx = transaction();
  struct parameters parameters;
  parameters.words = parameters.locks = 0;
  bool by_user = BY_USER;
  if (by_user && tx->depth == 0) {
    tx->locks = tx->allocations = 0;
    tx->aborted = false;
    tx->callback = NULL;
  }
  va_list arguments;
  va_start(arguments, environment);
  collect(&parameters, arguments);
  va_end(arguments);
  int result = begin_inside(pool, environment, parameters.word);
  if (by_user) {
    tx->depth++;
    emit_after_call(PERDURE_EV_TX_BEGIN);
    for (unsigned i = 0; result == 0 && i < parameters.locks; i++) {
      took(parameters.lock[i]);
    }
  }
  return result;
}

REAL_LIBRARY(pmemobj_tx_xlock, LIBPMEMOBJ);
static int lock_inside(int type, void *lock, uint64_t flags) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xlock)(type, lock, flags);
}

EXPORT int pmemobj_tx_xlock(int type, void *lock, uint64_t flags) {
  bool by_user = BY_USER;
  int result = lock_inside(type, lock, flags);
  if (by_user && result == 0 && type != TX_PARAM_NONE) {
    took(lock);
  }
  return result;
}

EXPORT int pmemobj_tx_lock(int type, void *lock) { return pmemobj_tx_xlock(type, lock, 0); }

REAL_LIBRARY(pmemobj_tx_abort, LIBPMEMOBJ);
EXPORT void pmemobj_tx_abort(int error) {
  if (BY_USER) {
    aborted(transaction());
  }
  INSIDE_LIBRARY;
  CALL(pmemobj_tx_abort)(error);
}

/* commit, or process in the stage of work, which commits. */
static void committing(void (*real)(void)) {
  INSIDE_LIBRARY;
  real();
}

static void commit(void (*real)(void), bool by_user) {
  bool working = by_user && CALL(pmemobj_tx_stage)() == TX_STAGE_WORK;
  committing(real);
  if (working && CALL(pmemobj_tx_stage)() == TX_STAGE_ONCOMMIT) {
    emit_after_call(PERDURE_EV_TX_COMMIT);
  } else if (working) {
    aborted(transaction());
  }
}

REAL_LIBRARY(pmemobj_tx_commit, LIBPMEMOBJ);
EXPORT void pmemobj_tx_commit(void) { commit(CALL(pmemobj_tx_commit), BY_USER); }

REAL_LIBRARY(pmemobj_tx_process, LIBPMEMOBJ);
EXPORT void pmemobj_tx_process(void) { commit(CALL(pmemobj_tx_process), BY_USER); }

REAL_LIBRARY(pmemobj_tx_end, LIBPMEMOBJ);
static int end_inside(void) {
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_end)();
}

/* The locks of all levels are freed with the outermost one. */
EXPORT int pmemobj_tx_end(void) {
  struct transaction *tx = transaction();
  if (BY_USER && tx->depth != 0) {
    if (CALL(pmemobj_tx_errno)() != 0) {
      aborted(tx);
    }
    emit(STAMP_BEFORE, PERDURE_EV_TX_END, 0, NULL, 0);
    if (--tx->depth == 0) {
      while (tx->locks > 0) {
        emit(STAMP_BEFORE, PERDURE_EV_RELEASE, 0, tx->lock[--tx->locks], 0);
      }
    }
  }
  return end_inside();
}

static void adding(const void *addr, size_t size) {
  if (addr != NULL) {
    emit(STAMP_BEFORE, PERDURE_EV_TX_ADD, 0, addr, size);
  }
}

REAL_LIBRARY(pmemobj_tx_add_range, LIBPMEMOBJ);
EXPORT int pmemobj_tx_add_range(PMEMoid oid, uint64_t offset, size_t size) {
  if (BY_USER && !oid_is_null(oid)) {
    adding((char *)object_address(oid) + offset, size);
  }
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_add_range)(oid, offset, size);
}

REAL_LIBRARY(pmemobj_tx_xadd_range, LIBPMEMOBJ);
EXPORT int pmemobj_tx_xadd_range(PMEMoid oid, uint64_t offset, size_t size, uint64_t flags) {
  if (BY_USER && !oid_is_null(oid)) {
    adding((char *)object_address(oid) + offset, size);
  }
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xadd_range)(oid, offset, size, flags);
}

REAL_LIBRARY(pmemobj_tx_add_range_direct, LIBPMEMOBJ);
EXPORT int pmemobj_tx_add_range_direct(const void *addr, size_t size) {
  if (BY_USER) {
    adding(addr, size);
  }
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_add_range_direct)(addr, size);
}

REAL_LIBRARY(pmemobj_tx_xadd_range_direct, LIBPMEMOBJ);
EXPORT int pmemobj_tx_xadd_range_direct(const void *addr, size_t size, uint64_t flags) {
  if (BY_USER) {
    adding(addr, size);
  }
  INSIDE_LIBRARY;
  return CALL(pmemobj_tx_xadd_range_direct)(addr, size, flags);
}
