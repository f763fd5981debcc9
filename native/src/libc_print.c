/* printf and its relatives read the texts that they print. */
#include "libc_print.h"
#include "conversions.h"
#include "libc_memory.h"
#include "real.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

REAL(strnlen);
REAL(wcslen);

static void text_printed(const void *text, const struct conversion *c) {
  if (text == NULL || likely(!touches_text(text))) {
    return;
  }
  if (c->letter == 'S' || c->size == SIZE_LONG) {
    size_t length = c->precision == SIZE_MAX ? CALL(wcslen)(text) + 1 : 0;
    emit_load(text, length * sizeof(wchar_t));
  } else {
    size_t length = CALL(strnlen)(text, c->precision);
    emit_load(text, length < c->precision ? length + 1 : length);
  }
}

static void take_stars(struct conversion *c, va_list *arguments) {
  if (c->star_width) {
    (void)va_arg(*arguments, int);
  }
  if (c->star_precision) {
    int given = va_arg(*arguments, int);
    c->precision = given < 0 ? SIZE_MAX : (size_t)given;
  }
}

static void pass(const struct conversion *c, va_list *arguments) {
  if (is_one_of(c->letter, "diouxXbBcC")) {
    if (c->size == SIZE_LONG) {
      (void)va_arg(*arguments, long);
    } else {
      (void)va_arg(*arguments, int);
    }
  } else if (conversion_is_real(c)) {
    if (c->size == SIZE_LONG_DOUBLE) {
      (void)va_arg(*arguments, long double);
    } else {
      (void)va_arg(*arguments, double);
    }
  } else if (is_one_of(c->letter, "pn")) {
    (void)va_arg(*arguments, void *);
  }
}

void texts_printed(const char *format, va_list given) {
  struct conversion c;
  va_list arguments;
  if (!watching()) {
    return;
  }
  va_copy(arguments, given);
  while (format != NULL && (format = conversion_next(format, false, &c)) != NULL) {
    take_stars(&c, &arguments);
    if (is_one_of(c.letter, "sS")) {
      text_printed(va_arg(arguments, const void *), &c);
    } else {
      pass(&c, &arguments);
    }
  }
  va_end(arguments);
}

REAL(vfprintf);
EXPORT int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return CALL(vfprintf)(stream, format, arguments);
}

EXPORT int vprintf(const char *restrict format, va_list arguments) { return vfprintf(stdout, format, arguments); }

REAL(vdprintf);
EXPORT int vdprintf(int fd, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return CALL(vdprintf)(fd, format, arguments);
}

REAL(vasprintf);
EXPORT int vasprintf(char **restrict to, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return CALL(vasprintf)(to, format, arguments);
}

/* Checked forms of compilers: the check is libc's. */
int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list arguments);
int __vprintf_chk(int flag, const char *restrict format, va_list arguments);
int __vdprintf_chk(int fd, int flag, const char *restrict format, va_list arguments);
int __vasprintf_chk(char **restrict to, int flag, const char *restrict format, va_list arguments);
int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...);
int __printf_chk(int flag, const char *restrict format, ...);
int __dprintf_chk(int fd, int flag, const char *restrict format, ...);
int __asprintf_chk(char **restrict to, int flag, const char *restrict format, ...);

REAL(__vfprintf_chk);
EXPORT int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return CALL(__vfprintf_chk)(stream, flag, format, arguments);
}

EXPORT int __vprintf_chk(int flag, const char *restrict format, va_list arguments) {
  return __vfprintf_chk(stdout, flag, format, arguments);
}

REAL(__vdprintf_chk);
EXPORT int __vdprintf_chk(int fd, int flag, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return CALL(__vdprintf_chk)(fd, flag, format, arguments);
}

REAL(__vasprintf_chk);
EXPORT int __vasprintf_chk(char **restrict to, int flag, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return CALL(__vasprintf_chk)(to, flag, format, arguments);
}

/* The form with dots before the form with a list. */
#define WITH_DOTS(signature, call)                                                                                                         \
  EXPORT int signature {                                                                                                                   \
    va_list arguments;                                                                                                                     \
    va_start(arguments, format);                                                                                                           \
    int length = call;                                                                                                                     \
    va_end(arguments);                                                                                                                     \
    return length;                                                                                                                         \
  }
WITH_DOTS(printf(const char *restrict format, ...), vfprintf(stdout, format, arguments))
WITH_DOTS(fprintf(FILE *restrict stream, const char *restrict format, ...), vfprintf(stream, format, arguments))
WITH_DOTS(dprintf(int fd, const char *restrict format, ...), vdprintf(fd, format, arguments))
WITH_DOTS(asprintf(char **restrict to, const char *restrict format, ...), vasprintf(to, format, arguments))
WITH_DOTS(__printf_chk(int flag, const char *restrict format, ...), __vfprintf_chk(stdout, flag, format, arguments))
WITH_DOTS(__fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...),
          __vfprintf_chk(stream, flag, format, arguments))
WITH_DOTS(__dprintf_chk(int fd, int flag, const char *restrict format, ...), __vdprintf_chk(fd, flag, format, arguments))
WITH_DOTS(__asprintf_chk(char **restrict to, int flag, const char *restrict format, ...), __vasprintf_chk(to, flag, format, arguments))
