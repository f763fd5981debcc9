/* Texts of wide characters. */
#include "libc_memory.h"
#include "real.h"
#include <stdlib.h>
#include <wchar.h>

REAL(wcslen);
static size_t size_of(const wchar_t *text) { return (CALL(wcslen)(text) + 1) * sizeof *text; }

static void wide_read(const wchar_t *text) {
  if (unlikely(touches_text(text))) {
    emit_load(text, size_of(text));
  }
}

EXPORT size_t wcslen(const wchar_t *text) {
  wide_read(text);
  return CALL(wcslen)(text);
}

EXPORT wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  return wmemcpy(to, from, CALL(wcslen)(from) + 1);
}

EXPORT wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

EXPORT wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t length = 0;
  while (length < n && from[length] != 0) {
    length++;
  }
  wmemcpy(to, from, length < n ? length + 1 : length);
  if (length + 1 < n) {
    wmemset(to + length + 1, 0, n - length - 1);
  }
  return to;
}

REAL(wcscmp);
EXPORT int wcscmp(const wchar_t *a, const wchar_t *b) {
  wide_read(a);
  wide_read(b);
  return CALL(wcscmp)(a, b);
}

REAL(wcsncmp);
EXPORT int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
  int result = CALL(wcsncmp)(a, b, most);
  if (unlikely(touches_text(a) || touches_text(b))) {
    size_t n = 0;
    while (n < most && a[n] != 0 && a[n] == b[n]) {
      n++;
    }
    size_t read = (n < most ? n + 1 : most) * sizeof *a;
    emit_load(a, read);
    emit_load(b, read);
  }
  return result;
}

REAL(wcschr);
EXPORT wchar_t *wcschr(const wchar_t *text, wchar_t character) {
  wchar_t *found = CALL(wcschr)(text, character);
  if (unlikely(touches_text(text))) {
    emit_load(text, found != NULL ? (size_t)(found - text + 1) * sizeof *text : size_of(text));
  }
  return found;
}

EXPORT wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t most) {
  size_t length = 0;
  while (length < most && from[length] != 0) {
    length++;
  }
  wchar_t *end = to + wcslen(to);
  wmemcpy(end, from, length);
  wmemset(end + length, 0, 1);
  return to;
}

REAL(mbstowcs);
EXPORT size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n) {
  size_t count = CALL(mbstowcs)(to, from, n);
  if (count != (size_t)-1) {
    left(to, (count < n ? count + 1 : n) * sizeof *to);
  }
  return count;
}

REAL(wcstombs);
EXPORT size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n) {
  size_t count = CALL(wcstombs)(to, from, n);
  if (count != (size_t)-1) {
    left(to, count < n ? count + 1 : n);
  }
  return count;
}
