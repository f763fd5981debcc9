/* sprintf and its relatives into PM: the text is made elsewhere first, so that the store is known before it happens. */
#include "libc_memory.h"
#include "libc_print.h"
#include "real.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SMALL 4096

REAL(vsprintf);
REAL(vsnprintf);

/* Text that is too long for the buffer is written at once and recorded afterwards. */
static int format_into_pm(char *to, size_t room, const char *format, va_list arguments) {
  char text[SMALL];
  va_list again;
  va_copy(again, arguments);
  int length = CALL(vsnprintf)(text, sizeof text, format, arguments);
  if (length >= 0 && (size_t)length < sizeof text) {
    if (room != 0) {
      size_t copied = (size_t)length < room ? (size_t)length : room - 1;
      text[copied] = 0;
      memcpy(to, text, copied + 1);
    }
  } else {
    length = CALL(vsnprintf)(to, room, format, again);
    if (length >= 0 && room != 0) {
      emit_store(to, to, (size_t)length < room ? (size_t)length + 1 : room);
    }
  }
  va_end(again);
  return length;
}

EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return likely(!touches_text(to)) ? CALL(vsprintf)(to, format, arguments) : format_into_pm(to, INT32_MAX, format, arguments);
}

EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return likely(!touches(to, room)) ? CALL(vsnprintf)(to, room, format, arguments) : format_into_pm(to, room, format, arguments);
}

EXPORT int sprintf(char *restrict to, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsprintf(to, format, arguments);
  va_end(arguments);
  return length;
}

EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to, room, format, arguments);
  va_end(arguments);
  return length;
}

int __vsprintf_chk(char *restrict to, int flag, size_t size, const char *restrict format, va_list arguments);
int __vsnprintf_chk(char *restrict to, size_t room, int flag, size_t size, const char *restrict format, va_list arguments);
int __sprintf_chk(char *restrict to, int flag, size_t size, const char *restrict format, ...);
int __snprintf_chk(char *restrict to, size_t room, int flag, size_t size, const char *restrict format, ...);

REAL(__vsprintf_chk);
EXPORT int __vsprintf_chk(char *restrict to, int flag, size_t size, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return likely(!touches_text(to)) ? CALL(__vsprintf_chk)(to, flag, size, format, arguments)
                                   : format_into_pm(to, size < INT32_MAX ? size : INT32_MAX, format, arguments);
}

REAL(__vsnprintf_chk);
EXPORT int __vsnprintf_chk(char *restrict to, size_t room, int flag, size_t size, const char *restrict format, va_list arguments) {
  texts_printed(format, arguments);
  return likely(!touches(to, room) || room > size) ? CALL(__vsnprintf_chk)(to, room, flag, size, format, arguments)
                                                    : format_into_pm(to, room, format, arguments);
}

EXPORT int __sprintf_chk(char *restrict to, int flag, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __vsprintf_chk(to, flag, size, format, arguments);
  va_end(arguments);
  return length;
}

EXPORT int __snprintf_chk(char *restrict to, size_t room, int flag, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = __vsnprintf_chk(to, room, flag, size, format, arguments);
  va_end(arguments);
  return length;
}
