/* Sorting in PM: libc moves the elements about, and only the outcome is known, afterwards. */
#include "libc_memory.h"
#include "real.h"
#include <stdlib.h>

static bool sorts_pm(void *elements, size_t length) {
  bool pm = length != 0 && unlikely(touches(elements, length));
  if (pm) {
    emit_load(elements, length);
  }
  return pm;
}

REAL(qsort);
EXPORT void qsort(void *elements, size_t n, size_t size, __compar_fn_t compare) {
  bool pm = sorts_pm(elements, n * size);
  CALL(qsort)(elements, n, size, compare);
  if (pm) {
    emit_store(elements, elements, n * size);
  }
}

REAL(qsort_r);
EXPORT void qsort_r(void *elements, size_t n, size_t size, __compar_d_fn_t compare, void *argument) {
  bool pm = sorts_pm(elements, n * size);
  CALL(qsort_r)(elements, n, size, compare, argument);
  if (pm) {
    emit_store(elements, elements, n * size);
  }
}
