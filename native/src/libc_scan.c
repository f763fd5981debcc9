/* scanf and its relatives: texts that they read in PM, and what they leave there. */
#include "conversions.h"
#include "libc_memory.h"
#include "real.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* What was converted is known only afterwards. */
static void scanned(const char *format, va_list arguments, int conversions) {
  struct conversion c;
  if (!watching()) {
    return;
  }
  while (conversions > 0 && (format = conversion_next(format, true, &c)) != NULL) {
    if (!c.skipped) {
      void *at = va_arg(arguments, void *);
      if (at != NULL && unlikely(touches_text(at))) {
        emit_store(at, at, conversion_scanned(&c, at));
      }
      conversions -= c.letter != 'n';
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
