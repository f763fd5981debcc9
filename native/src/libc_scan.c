/* scanf and its relatives: texts that they read in PM, and what they leave there. */
#include "libc_memory.h"
#include "real.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum width { CHAR, SHORT, INT, LONG, LONG_DOUBLE };

struct scan {
  bool is_assigned, allocates;
  size_t most; /* characters, where the format says how many */
  enum width width;
  char letter;
};

/* Behind the closing bracket of a set of characters. */
static const char *behind_set(const char *at) {
  at += *at == '^';
  at += *at == ']';
  while (*at != 0 && *at != ']') {
    at++;
  }
  return *at != 0 ? at + 1 : at;
}

static const char *parse_width(const char *at, enum width *width) {
  for (;; at++) {
    switch (*at) {
    case 'h':
      *width = *width == SHORT ? CHAR : SHORT;
      break;
    case 'l':
    case 'j':
    case 'z':
    case 't':
    case 'q':
      *width = LONG;
      break;
    case 'L':
      *width = LONG_DOUBLE;
      break;
    default:
      return at;
    }
  }
}

/* What stands after a percent sign; null at the end, and for an argument that is named by its position. */
static const char *parse(const char *at, struct scan *s) {
  *s = (struct scan){.is_assigned = *at != '*', .width = INT};
  at += *at == '*';
  at += *at == '\'';
  for (; *at >= '0' && *at <= '9'; at++) {
    s->most = s->most * 10 + (size_t)(*at - '0');
  }
  if (*at == '$') {
    return NULL;
  }
  s->allocates = *at == 'm';
  at = parse_width(at + s->allocates, &s->width);
  s->letter = *at;
  if (*at == 0) {
    return NULL;
  }
  return *at == '[' ? behind_set(at + 1) : at + 1;
}

static size_t size_of_number(enum width width) {
  switch (width) {
  case CHAR:
    return 1;
  case SHORT:
    return sizeof(short);
  case INT:
    return sizeof(int);
  default:
    return sizeof(long);
  }
}

static size_t size_of_real(enum width width) {
  return width == LONG_DOUBLE ? sizeof(long double) : width == LONG ? sizeof(double) : sizeof(float);
}

static size_t left_by(const struct scan *s, const void *at) {
  bool wide = s->width == LONG || s->letter == 'S' || s->letter == 'C';
  switch (s->letter) {
  case 'c':
  case 'C':
    return (s->most != 0 ? s->most : 1) * (wide ? sizeof(wchar_t) : 1);
  case 's':
  case 'S':
  case '[':
    return wide ? (wcslen(at) + 1) * sizeof(wchar_t) : strlen(at) + 1;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    return size_of_real(s->width);
  case 'p':
    return sizeof(void *);
  default:
    return size_of_number(s->width);
  }
}

static void left_at(const struct scan *s, void *at) {
  if (at != NULL && unlikely(touches_text(at))) {
    perdure_self.quiet++;
    size_t length = s->allocates ? sizeof(char *) : left_by(s, at);
    perdure_self.quiet--;
    emit_store(at, at, length);
  }
}

/* What was converted is known only afterwards. */
static void scanned(const char *format, va_list arguments, int conversions) {
  struct scan s;
  if (!watching()) {
    return;
  }
  while (format != NULL && *format != 0 && conversions > 0) {
    if (*format++ != '%') {
      continue;
    }
    format = parse(format, &s);
    if (format != NULL && s.is_assigned && s.letter != '%') {
      left_at(&s, va_arg(arguments, void *));
      conversions -= s.letter != 'n';
    }
  }
}

/* By symbol: headers give the functions other symbols, by the language's version. */
#define BY_SYMBOL(symbol) ((__typeof__(&scan_##symbol))real_address(&real_##symbol))
#define SCAN_TEXT(symbol)                                                                                                                  \
  EXPORT int scan_##symbol(const char *text, const char *format, va_list arguments) __asm__(#symbol);                                      \
  REAL(symbol);                                                                                                                            \
  int scan_##symbol(const char *text, const char *format, va_list arguments) {                                                             \
    va_list again;                                                                                                                         \
    va_copy(again, arguments);                                                                                                             \
    text_read(text);                                                                                                                       \
    int conversions = BY_SYMBOL(symbol)(text, format, arguments);                                                                          \
    scanned(format, again, conversions);                                                                                                   \
    va_end(again);                                                                                                                         \
    return conversions;                                                                                                                    \
  }
#define SCAN_STREAM(symbol)                                                                                                                \
  EXPORT int scan_##symbol(FILE *stream, const char *format, va_list arguments) __asm__(#symbol);                                          \
  REAL(symbol);                                                                                                                            \
  int scan_##symbol(FILE *stream, const char *format, va_list arguments) {                                                                 \
    va_list again;                                                                                                                         \
    va_copy(again, arguments);                                                                                                             \
    int conversions = BY_SYMBOL(symbol)(stream, format, arguments);                                                                        \
    scanned(format, again, conversions);                                                                                                   \
    va_end(again);                                                                                                                         \
    return conversions;                                                                                                                    \
  }
#define SCAN_DOTS(symbol, parameters, call)                                                                                                \
  EXPORT int scan_##symbol parameters __asm__(#symbol);                                                                                    \
  int scan_##symbol parameters {                                                                                                           \
    va_list arguments;                                                                                                                     \
    va_start(arguments, format);                                                                                                           \
    int conversions = call;                                                                                                                \
    va_end(arguments);                                                                                                                     \
    return conversions;                                                                                                                    \
  }
#define SCANS(prefix)                                                                                                                      \
  SCAN_TEXT(prefix##vsscanf)                                                                                                               \
  SCAN_STREAM(prefix##vfscanf)                                                                                                             \
  EXPORT int scan_##prefix##vscanf(const char *format, va_list arguments) __asm__(#prefix "vscanf");                                       \
  int scan_##prefix##vscanf(const char *format, va_list arguments) { return scan_##prefix##vfscanf(stdin, format, arguments); }            \
  SCAN_DOTS(prefix##sscanf, (const char *text, const char *format, ...), scan_##prefix##vsscanf(text, format, arguments))                  \
  SCAN_DOTS(prefix##fscanf, (FILE * stream, const char *format, ...), scan_##prefix##vfscanf(stream, format, arguments))                   \
  SCAN_DOTS(prefix##scanf, (const char *format, ...), scan_##prefix##vfscanf(stdin, format, arguments))
SCANS()
SCANS(__isoc99_)
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 38)
SCANS(__isoc23_)
#endif
