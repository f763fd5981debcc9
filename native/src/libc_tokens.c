/* Functions that cut a text into tokens or take a number from its beginning: they read up to where they stop. */
#include "libc_memory.h"
#include "real.h"
#include <stdlib.h>
#include <string.h>

REAL(strspn);
EXPORT size_t strspn(const char *text, const char *set) {
  size_t length = CALL(strspn)(text, set);
  if (unlikely(touches_text(text))) {
    emit_load(text, length + 1);
  }
  return length;
}

REAL(strcspn);
EXPORT size_t strcspn(const char *text, const char *set) {
  size_t length = CALL(strcspn)(text, set);
  if (unlikely(touches_text(text))) {
    emit_load(text, length + 1);
  }
  return length;
}

REAL(strpbrk);
EXPORT char *strpbrk(const char *text, const char *set) {
  if (unlikely(touches_text(text))) {
    const char *found = text + strcspn(text, set);
    return *found != 0 ? (char *)found : NULL;
  }
  return CALL(strpbrk)(text, set);
}

/* Ends a token at the first separator; `rest` becomes what follows it, null where there is none. Where the token ends. */
static char *cut(char *token, const char *separators, char **rest) {
  char *end = token + strcspn(token, separators);
  if (*end != 0) {
    memset(end, 0, 1);
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return end;
}

REAL(strtok_r);
EXPORT char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
  char *from = text != NULL ? text : *rest;
  if (from == NULL || likely(!touches_text(from))) {
    return CALL(strtok_r)(text, separators, rest);
  }
  from += strspn(from, separators);
  char *end = cut(from, separators, rest);
  if (*rest == NULL) {
    *rest = end;
  }
  return end != from ? from : NULL;
}

EXPORT char *strtok(char *restrict text, const char *restrict separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}

REAL(strsep);
EXPORT char *strsep(char **restrict text, const char *restrict separators) {
  char *token = *text;
  if (token == NULL || likely(!touches_text(token))) {
    return CALL(strsep)(text, separators);
  }
  cut(token, separators, text);
  return token;
}

/* By symbol: headers give the functions other symbols, by the language's version. */
#define NUMBER(type, symbol)                                                                                                               \
  EXPORT type number_##symbol(const char *text, char **end, int base) __asm__(#symbol);                                                    \
  REAL(symbol);                                                                                                                            \
  type number_##symbol(const char *text, char **end, int base) {                                                                           \
    char *stop;                                                                                                                            \
    type value = ((__typeof__(&number_##symbol))real_address(&real_##symbol))(text, &stop, base);                                          \
    number_read(text, stop);                                                                                                               \
    if (end != NULL) {                                                                                                                     \
      *end = stop;                                                                                                                         \
    }                                                                                                                                      \
    return value;                                                                                                                          \
  }
NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 38)
NUMBER(long, __isoc23_strtol)
NUMBER(unsigned long, __isoc23_strtoul)
NUMBER(long long, __isoc23_strtoll)
NUMBER(unsigned long long, __isoc23_strtoull)
#endif

EXPORT int atoi(const char *text) { return (int)number_strtol(text, NULL, 10); }
EXPORT long atol(const char *text) { return number_strtol(text, NULL, 10); }
EXPORT long long atoll(const char *text) { return number_strtoll(text, NULL, 10); }
