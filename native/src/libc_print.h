/* Texts that a printf format names. */
#ifndef PERDURE_LIBC_PRINT_H
#define PERDURE_LIBC_PRINT_H
#include <stdarg.h>

/* Records a load of each text in PM that the format prints. Takes the arguments without using them up. */
void texts_printed(const char *format, va_list arguments);

#endif
