/* Functions that start threads of libc's own, or threads that only the kernel knows: patches that wait for a second thread are made
 * before that. */
#include "late_patches.h"
#include "real.h"
#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>

REAL(clone);
EXPORT int clone(int (*routine)(void *), void *stack, int flags, void *argument, ...) {
  va_list more;
  va_start(more, argument);
  void *parent = va_arg(more, void *), *tls = va_arg(more, void *), *child = va_arg(more, void *);
  va_end(more);
  if ((flags & CLONE_VM) != 0 && (flags & CLONE_VFORK) == 0) {
    late_patches_make();
  }
  return CALL(clone)(routine, stack, flags, argument, parent, tls, child);
}

#define STARTS_THREADS(result, name, parameters, arguments)                                                                                \
  REAL(name);                                                                                                                              \
  EXPORT result name parameters {                                                                                                          \
    late_patches_make();                                                                                                                   \
    return CALL(name) arguments;                                                                                                           \
  }                                                                                                                                        \
  _Static_assert(1, "")

STARTS_THREADS(int, timer_create, (clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer), (clock, event, timer));
STARTS_THREADS(int, mq_notify, (mqd_t queue, const struct sigevent *event), (queue, event));
STARTS_THREADS(int, getaddrinfo_a, (int mode, struct gaicb *list[restrict], int items, struct sigevent *restrict event),
               (mode, list, items, event));
STARTS_THREADS(int, aio_read, (struct aiocb *block), (block));
STARTS_THREADS(int, aio_write, (struct aiocb *block), (block));
STARTS_THREADS(int, aio_fsync, (int operation, struct aiocb *block), (operation, block));
STARTS_THREADS(int, lio_listio, (int mode, struct aiocb *const list[restrict], int items, struct sigevent *restrict event),
               (mode, list, items, event));
STARTS_THREADS(int, aio_read64, (struct aiocb64 *block), (block));
STARTS_THREADS(int, aio_write64, (struct aiocb64 *block), (block));
STARTS_THREADS(int, aio_fsync64, (int operation, struct aiocb64 *block), (operation, block));
STARTS_THREADS(int, lio_listio64, (int mode, struct aiocb64 *const list[restrict], int items, struct sigevent *restrict event),
               (mode, list, items, event));
