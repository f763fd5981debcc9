#include "conversions.h"
#include "runtime.h"
#include <stdint.h>
#include <string.h>
#include <wchar.h>

bool is_one_of(char c, const char *set) {
  while (*set != 0 && *set != c) {
    set++;
  }
  return c != 0 && *set != 0;
}

static const char *number(const char *at, size_t *value) {
  *value = 0;
  while (*at >= '0' && *at <= '9') {
    *value = *value * 10 + (size_t)(*at++ - '0');
  }
  return at;
}

static const char *number_or_star(const char *at, bool *star, size_t *value) {
  *star = *at == '*';
  return *star ? at + 1 : number(at, value);
}

static const char *size_at(const char *at, enum conversion_size *size) {
  for (; is_one_of(*at, "hlLqjzt"); at++) {
    *size = *at == 'L' ? SIZE_LONG_DOUBLE : *at != 'h' ? SIZE_LONG : *size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT;
  }
  return at;
}

/* Behind the closing bracket of a set of characters. */
static const char *behind_set(const char *at) {
  at += *at == '^';
  at += *at == ']';
  while (*at != 0 && *at != ']') {
    at++;
  }
  return *at != 0 ? at + 1 : at;
}

static const char *scanned_fields(const char *at, struct conversion *c) {
  c->skipped = *at == '*';
  at += c->skipped;
  at += *at == '\'';
  at = number(at, &c->width);
  c->allocates = *at == 'm';
  return at + c->allocates;
}

static const char *printed_fields(const char *at, struct conversion *c) {
  while (is_one_of(*at, "-+ #0'I")) {
    at++;
  }
  at = number_or_star(at, &c->star_width, &c->width);
  return *at == '.' ? number_or_star(at + 1, &c->star_precision, &c->precision) : at;
}

const char *conversion_next(const char *format, bool scans, struct conversion *c) {
  const char *at = format;
  while (at[0] != 0 && (at[0] != '%' || at[1] == '%')) {
    at += at[0] == '%' ? 2 : 1;
  }
  if (*at == 0) {
    return NULL;
  }
  *c = (struct conversion){.size = SIZE_INT, .precision = SIZE_MAX};
  at = scans ? scanned_fields(at + 1, c) : printed_fields(at + 1, c);
  at = size_at(at, &c->size);
  c->letter = *at;
  if (*at == 0 || *at == '$') {
    return NULL;
  }
  return scans && *at == '[' ? behind_set(at + 1) : at + 1;
}

bool conversion_is_real(const struct conversion *c) { return is_one_of(c->letter, "aAeEfFgG"); }

static size_t text_bytes(const void *text, bool wide) {
  perdure_self.quiet++;
  size_t bytes = wide ? (wcslen(text) + 1) * sizeof(wchar_t) : strlen(text) + 1;
  perdure_self.quiet--;
  return bytes;
}

static size_t number_bytes(enum conversion_size size) {
  switch (size) {
  case SIZE_CHAR:
    return 1;
  case SIZE_SHORT:
    return sizeof(short);
  case SIZE_INT:
    return sizeof(int);
  default:
    return sizeof(long);
  }
}

static size_t real_bytes(enum conversion_size size) {
  return size == SIZE_LONG_DOUBLE ? sizeof(long double) : size == SIZE_LONG ? sizeof(double) : sizeof(float);
}

size_t conversion_scanned(const struct conversion *c, const void *at) {
  if (at == NULL) {
    return 0;
  }
  if (c->allocates) {
    return sizeof(char *);
  }
  bool wide = c->size == SIZE_LONG || is_one_of(c->letter, "SC");
  if (is_one_of(c->letter, "cC")) {
    return (c->width != 0 ? c->width : 1) * (wide ? sizeof(wchar_t) : 1);
  }
  if (is_one_of(c->letter, "sS[")) {
    return text_bytes(at, wide);
  }
  if (conversion_is_real(c)) {
    return real_bytes(c->size);
  }
  return c->letter == 'p' ? sizeof(void *) : number_bytes(c->size);
}
