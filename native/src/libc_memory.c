#include "libc_memory.h"
#include "labels.h"
#include "real.h"
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

REAL_VERSION(memcpy, "GLIBC_2.14");
EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t length) {
  labels_follow_copy(to, from, length);
  if (likely(!touches(to, length) && !touches(from, length))) {
    return CALL(memcpy)(to, from, length);
  }
  emit_store(to, from, length);
  CALL(memcpy)(to, from, length);
  emit_load(from, length);
  return to;
}

REAL(memmove);
EXPORT void *memmove(void *to, const void *from, size_t length) {
  labels_follow_copy(to, from, length);
  if (likely(!touches(to, length) && !touches(from, length))) {
    return CALL(memmove)(to, from, length);
  }
  emit_store(to, from, length);
  CALL(memmove)(to, from, length);
  emit_load(from, length);
  return to;
}

REAL(memset);
EXPORT void *memset(void *to, int byte, size_t length) {
  labels_follow_fill(to, length);
  if (unlikely(touches(to, length))) {
    emit_fill(to, byte, length);
  }
  return CALL(memset)(to, byte, length);
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t length) { return (char *)memcpy(to, from, length) + length; }

EXPORT void bcopy(const void *from, void *to, size_t length) { memmove(to, from, length); }

EXPORT void bzero(void *to, size_t length) { memset(to, 0, length); }

REAL(explicit_bzero);
EXPORT void explicit_bzero(void *to, size_t length) {
  if (unlikely(touches(to, length))) {
    emit_fill(to, 0, length);
  }
  CALL(explicit_bzero)(to, length);
}

EXPORT wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t length) {
  return memcpy(to, from, length * sizeof(wchar_t));
}

EXPORT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t length) { return memmove(to, from, length * sizeof(wchar_t)); }

REAL(wmemset);
EXPORT wchar_t *wmemset(wchar_t *to, wchar_t character, size_t length) {
  CALL(wmemset)(to, character, length);
  if (unlikely(touches(to, length * sizeof(wchar_t)))) {
    emit_store(to, to, length * sizeof(wchar_t));
  }
  return to;
}

REAL(memccpy);
EXPORT void *memccpy(void *restrict to, const void *restrict from, int byte, size_t length) {
  if (likely(!touches(to, length) && !touches(from, length))) {
    return CALL(memccpy)(to, from, byte, length);
  }
  const char *found = memchr(from, byte, length);
  size_t copied = found != NULL ? (size_t)(found - (const char *)from) + 1 : length;
  memcpy(to, from, copied);
  return found != NULL ? (char *)to + copied : NULL;
}

REAL(swab);
EXPORT void swab(const void *restrict from, void *restrict to, ssize_t length) {
  CALL(swab)(from, to, length);
  size_t swapped = length > 0 ? (size_t)length & ~(size_t)1 : 0;
  if (unlikely(touches(from, swapped)) && swapped != 0) {
    emit_load(from, swapped);
  }
  left(to, swapped);
}

/* Checked forms of compilers: the check is libc's. */
void *__memcpy_chk(void *restrict to, const void *restrict from, size_t length, size_t room);
void *__memmove_chk(void *to, const void *from, size_t length, size_t room);
void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t length, size_t room);
void *__memset_chk(void *to, int byte, size_t length, size_t room);
void __explicit_bzero_chk(void *to, size_t length, size_t room);

REAL(__memcpy_chk);
EXPORT void *__memcpy_chk(void *restrict to, const void *restrict from, size_t length, size_t room) {
  return length <= room ? memcpy(to, from, length) : CALL(__memcpy_chk)(to, from, length, room);
}

REAL(__memmove_chk);
EXPORT void *__memmove_chk(void *to, const void *from, size_t length, size_t room) {
  return length <= room ? memmove(to, from, length) : CALL(__memmove_chk)(to, from, length, room);
}

REAL(__mempcpy_chk);
EXPORT void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t length, size_t room) {
  return length <= room ? mempcpy(to, from, length) : CALL(__mempcpy_chk)(to, from, length, room);
}

REAL(__memset_chk);
EXPORT void *__memset_chk(void *to, int byte, size_t length, size_t room) {
  return length <= room ? memset(to, byte, length) : CALL(__memset_chk)(to, byte, length, room);
}

REAL(__explicit_bzero_chk);
EXPORT void __explicit_bzero_chk(void *to, size_t length, size_t room) {
  if (length <= room) {
    explicit_bzero(to, length);
  } else {
    CALL(__explicit_bzero_chk)(to, length, room);
  }
}

/* What comparisons read: up to the first difference. */
static size_t equal_bytes(const void *a, const void *b, size_t length) {
  const unsigned char *x = a, *y = b;
  size_t n = 0;
  while (n < length && x[n] == y[n]) {
    n++;
  }
  return n < length ? n + 1 : length;
}

static void compared(const void *a, const void *b, size_t length) {
  size_t read = equal_bytes(a, b, length);
  emit_load(a, read);
  emit_load(b, read);
}

REAL(memcmp);
EXPORT int memcmp(const void *a, const void *b, size_t length) {
  int result = CALL(memcmp)(a, b, length);
  if (unlikely(touches(a, length) || touches(b, length))) {
    compared(a, b, length);
  }
  return result;
}

REAL(bcmp);
EXPORT int bcmp(const void *a, const void *b, size_t length) {
  int result = CALL(bcmp)(a, b, length);
  if (unlikely(touches(a, length) || touches(b, length))) {
    compared(a, b, length);
  }
  return result;
}

REAL(memchr);
EXPORT void *memchr(const void *where, int byte, size_t length) {
  char *found = CALL(memchr)(where, byte, length);
  if (unlikely(touches(where, 1))) {
    emit_load(where, found != NULL ? (size_t)(found - (const char *)where) + 1 : length);
  }
  return found;
}

REAL(memrchr);
EXPORT void *memrchr(const void *where, int byte, size_t length) {
  char *found = CALL(memrchr)(where, byte, length);
  if (unlikely(touches(where, length))) {
    const char *from = found != NULL ? found : where;
    emit_load(from, length - (size_t)(from - (const char *)where));
  }
  return found;
}

REAL(memmem);
EXPORT void *memmem(const void *where, size_t length, const void *what, size_t what_length) {
  char *found = CALL(memmem)(where, length, what, what_length);
  if (unlikely(touches(where, length) || touches(what, what_length))) {
    emit_load(where, found != NULL ? (size_t)(found - (const char *)where) + what_length : length);
    emit_load(what, what_length);
  }
  return found;
}
