/* The string functions of libc: copies are stores of what is copied, everything else loads what it had to look at. */
#include "libc_memory.h"
#include "real.h"
#include <string.h>
#include <strings.h>

REAL(strlen);
REAL(strnlen);

static size_t length_of(const char *text) { return CALL(strlen)(text); }
static size_t length_within(const char *text, size_t most) { return CALL(strnlen)(text, most); }

EXPORT size_t strlen(const char *text) {
  size_t length = CALL(strlen)(text);
  if (unlikely(touches_text(text))) {
    emit_load(text, length + 1);
  }
  return length;
}

EXPORT size_t strnlen(const char *text, size_t most) {
  size_t length = CALL(strnlen)(text, most);
  if (unlikely(touches_text(text))) {
    emit_load(text, length < most ? length + 1 : most);
  }
  return length;
}

/* The PM test comes first: only copies that may touch PM look for the end themselves. */
REAL(strcpy);
EXPORT char *strcpy(char *restrict to, const char *restrict from) {
  if (likely(!touches_text(to) && !touches_text(from))) {
    return CALL(strcpy)(to, from);
  }
  return memcpy(to, from, length_of(from) + 1);
}

REAL(stpcpy);
EXPORT char *stpcpy(char *restrict to, const char *restrict from) {
  if (likely(!touches_text(to) && !touches_text(from))) {
    return CALL(stpcpy)(to, from);
  }
  size_t length = length_of(from);
  memcpy(to, from, length + 1);
  return to + length;
}

/* Copies at most `room` bytes and fills the rest with zeros. */
static size_t copy_and_fill(char *to, const char *from, size_t room) {
  size_t length = length_within(from, room);
  memcpy(to, from, length);
  memset(to + length, 0, room - length);
  if (length < room) {
    emit_load(from + length, 1);
  }
  return length;
}

REAL(strncpy);
EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t room) {
  if (likely(!touches(to, room) && !touches_text(from))) {
    return CALL(strncpy)(to, from, room);
  }
  copy_and_fill(to, from, room);
  return to;
}

REAL(stpncpy);
EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t room) {
  if (likely(!touches(to, room) && !touches_text(from))) {
    return CALL(stpncpy)(to, from, room);
  }
  return to + copy_and_fill(to, from, room);
}

REAL(strcat);
EXPORT char *strcat(char *restrict to, const char *restrict from) {
  if (likely(!touches_text(to) && !touches_text(from))) {
    return CALL(strcat)(to, from);
  }
  size_t begin = strlen(to);
  memcpy(to + begin, from, length_of(from) + 1);
  return to;
}

REAL(strncat);
EXPORT char *strncat(char *restrict to, const char *restrict from, size_t most) {
  if (likely(!touches_text(to) && !touches_text(from))) {
    return CALL(strncat)(to, from, most);
  }
  size_t begin = strlen(to);
  size_t length = length_within(from, most);
  memcpy(to + begin, from, length);
  memset(to + begin + length, 0, 1);
  return to;
}

#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 38)
REAL(strlcpy);
EXPORT size_t strlcpy(char *restrict to, const char *restrict from, size_t room) {
  if (likely(!touches(to, room) && !touches_text(from))) {
    return CALL(strlcpy)(to, from, room);
  }
  size_t length = strlen(from);
  if (room != 0) {
    size_t copied = length < room ? length : room - 1;
    memcpy(to, from, copied);
    memset(to + copied, 0, 1);
  }
  return length;
}

REAL(strlcat);
EXPORT size_t strlcat(char *restrict to, const char *restrict from, size_t room) {
  if (likely(!touches(to, room) && !touches_text(from))) {
    return CALL(strlcat)(to, from, room);
  }
  size_t begin = strnlen(to, room);
  return begin + strlcpy(to + begin, from, room - begin);
}
#endif

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room);
char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room);
char *__strncpy_chk(char *restrict to, const char *restrict from, size_t length, size_t room);
char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t length, size_t room);
char *__strcat_chk(char *restrict to, const char *restrict from, size_t room);
char *__strncat_chk(char *restrict to, const char *restrict from, size_t most, size_t room);

REAL(__strcpy_chk);
EXPORT char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  bool plain = !touches(to, room) && !touches_text(from);
  return plain || length_of(from) >= room ? CALL(__strcpy_chk)(to, from, room) : strcpy(to, from);
}

REAL(__stpcpy_chk);
EXPORT char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  bool plain = !touches(to, room) && !touches_text(from);
  return plain || length_of(from) >= room ? CALL(__stpcpy_chk)(to, from, room) : stpcpy(to, from);
}

REAL(__strncpy_chk);
EXPORT char *__strncpy_chk(char *restrict to, const char *restrict from, size_t length, size_t room) {
  return length > room ? CALL(__strncpy_chk)(to, from, length, room) : strncpy(to, from, length);
}

REAL(__stpncpy_chk);
EXPORT char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t length, size_t room) {
  return length > room ? CALL(__stpncpy_chk)(to, from, length, room) : stpncpy(to, from, length);
}

REAL(__strcat_chk);
EXPORT char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
  bool plain = !touches(to, room) && !touches_text(from);
  return plain || length_of(to) + length_of(from) >= room ? CALL(__strcat_chk)(to, from, room) : strcat(to, from);
}

REAL(__strncat_chk);
EXPORT char *__strncat_chk(char *restrict to, const char *restrict from, size_t most, size_t room) {
  bool plain = !touches(to, room) && !touches_text(from);
  return plain || length_of(to) + length_within(from, most) >= room ? CALL(__strncat_chk)(to, from, most, room) : strncat(to, from, most);
}

/* Up to and with the first difference or the end. */
static size_t compared(const char *a, const char *b, size_t most, bool fold) {
  size_t n = 0;
  while (n < most && a[n] != 0 && (a[n] == b[n] || (fold && strncasecmp(a + n, b + n, 1) == 0))) {
    n++;
  }
  return n < most ? n + 1 : most;
}

static void emit_compared(const char *a, const char *b, size_t most, bool fold) {
  perdure_self.quiet++;
  size_t read = compared(a, b, most, fold);
  perdure_self.quiet--;
  emit_load(a, read);
  emit_load(b, read);
}

REAL(strcmp);
EXPORT int strcmp(const char *a, const char *b) {
  int result = CALL(strcmp)(a, b);
  if (unlikely(touches_text(a) || touches_text(b))) {
    emit_compared(a, b, SIZE_MAX, false);
  }
  return result;
}

REAL(strncmp);
EXPORT int strncmp(const char *a, const char *b, size_t most) {
  int result = CALL(strncmp)(a, b, most);
  if (unlikely(touches_text(a) || touches_text(b))) {
    emit_compared(a, b, most, false);
  }
  return result;
}

REAL(strcasecmp);
EXPORT int strcasecmp(const char *a, const char *b) {
  int result = CALL(strcasecmp)(a, b);
  if (unlikely(touches_text(a) || touches_text(b))) {
    emit_compared(a, b, SIZE_MAX, true);
  }
  return result;
}

REAL(strncasecmp);
EXPORT int strncasecmp(const char *a, const char *b, size_t most) {
  int result = CALL(strncasecmp)(a, b, most);
  if (unlikely(touches_text(a) || touches_text(b))) {
    emit_compared(a, b, most, true);
  }
  return result;
}

REAL(strchr);
EXPORT char *strchr(const char *text, int byte) {
  char *found = CALL(strchr)(text, byte);
  if (unlikely(touches_text(text))) {
    emit_load(text, (found != NULL ? (size_t)(found - text) : length_of(text)) + 1);
  }
  return found;
}

REAL(strrchr);
EXPORT char *strrchr(const char *text, int byte) {
  char *found = CALL(strrchr)(text, byte);
  if (unlikely(touches_text(text))) {
    emit_load(text, length_of(text) + 1);
  }
  return found;
}

static void emit_searched(const char *text, const char *what, const char *found) {
  if (unlikely(touches_text(text) || touches_text(what))) {
    emit_load(text, found != NULL ? (size_t)(found - text) + length_of(what) : length_of(text) + 1);
    emit_load(what, length_of(what) + 1);
  }
}

REAL(strstr);
EXPORT char *strstr(const char *text, const char *what) {
  char *found = CALL(strstr)(text, what);
  emit_searched(text, what, found);
  return found;
}

REAL(strcasestr);
EXPORT char *strcasestr(const char *text, const char *what) {
  char *found = CALL(strcasestr)(text, what);
  emit_searched(text, what, found);
  return found;
}

REAL(strchrnul);
EXPORT char *strchrnul(const char *text, int byte) {
  char *found = CALL(strchrnul)(text, byte);
  if (unlikely(touches_text(text))) {
    emit_load(text, (size_t)(found - text) + 1);
  }
  return found;
}

REAL(strcoll);
EXPORT int strcoll(const char *a, const char *b) {
  int result = CALL(strcoll)(a, b);
  text_read(a);
  text_read(b);
  return result;
}

REAL(strxfrm);
EXPORT size_t strxfrm(char *restrict to, const char *restrict from, size_t room) {
  size_t length = CALL(strxfrm)(to, from, room);
  text_read(from);
  if (length < room) {
    left(to, length + 1);
  }
  return length;
}

REAL(strdup);
EXPORT char *strdup(const char *text) {
  char *copy = CALL(strdup)(text);
  if (unlikely(touches_text(text))) {
    emit_load(text, length_of(text) + 1);
  }
  return copy;
}

char *__strdup(const char *text);
EXPORT char *__strdup(const char *text) { return strdup(text); }

REAL(strndup);
EXPORT char *strndup(const char *text, size_t most) {
  char *copy = CALL(strndup)(text, most);
  if (unlikely(touches_text(text))) {
    size_t length = length_within(text, most);
    emit_load(text, length < most ? length + 1 : most);
  }
  return copy;
}
