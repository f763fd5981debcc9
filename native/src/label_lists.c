/* Labels of what is formatted, scanned, and passed as variable arguments (x86-64 System V). */
#include "labels.h"
#include "pm.h"
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define REGISTERS 6u        /* of integers and pointers */
#define VECTOR_REGISTERS 8u /* of floating-point numbers */
#define VECTORS_AT 48u      /* behind the others in the area where a function saves them */

/* A va_list as the compiler lays it out. */
struct list {
  uint32_t next_register, next_vector; /* offsets in the saved registers */
  char *on_stack, *saved;
};

static _Thread_local struct {
  uint32_t labels[PERDURE_LABELLED_ARGUMENTS], count, classes;
} listed;

static uint32_t class_of(uint32_t classes, uint32_t argument) { return argument < 16 ? classes >> 2 * argument & 3 : 0; }

/* At the beginning of a function with variable arguments: calls that it makes would overwrite their labels. */
EXPORT void __perdure_label_listed(uint32_t entered, uint32_t fixed) {
  listed.count = 0;
  for (uint32_t i = fixed; entered != 0 && i < PERDURE_LABELLED_ARGUMENTS; i++) {
    listed.labels[listed.count++] = __perdure_labels.arguments[i];
  }
  listed.classes = __perdure_labels.classes;
}

static char *next_word(struct list *list, uint32_t class) {
  char *at;
  if (class == PERDURE_CLASS_REGISTER && list->next_register < 8 * REGISTERS) {
    at = list->saved + list->next_register;
    list->next_register += 8;
  } else if (class == PERDURE_CLASS_VECTOR && list->next_vector < VECTORS_AT + 16 * VECTOR_REGISTERS) {
    at = list->saved + list->next_vector;
    list->next_vector += 16;
  } else {
    if (class == PERDURE_CLASS_LONG) {
      list->on_stack = (char *)(((uint64_t)list->on_stack + 15) & ~UINT64_C(15));
    }
    at = list->on_stack;
    list->on_stack += class == PERDURE_CLASS_LONG ? 16 : 8;
  }
  return at;
}

/* Right behind va_start: the memory that va_arg will read gets the labels of the arguments. What the caller has not said is not there:
 * the slots hold as many as there are, and zeros for others. */
EXPORT void __perdure_label_list(const void *started) {
  struct list list = *(const struct list *)started;
  uint64_t registers = (uint64_t)list.saved, stack = (uint64_t)list.on_stack;
  __perdure_label_write((void *)registers, VECTORS_AT + 16 * VECTOR_REGISTERS, 0);
  __perdure_label_write((void *)stack, 8 * 8, 0);
  for (uint32_t i = 0; i < listed.count && i < 16; i++) {
    char *at = next_word(&list, class_of(listed.classes, i));
    if (listed.labels[i] != 0) {
      __perdure_label_write(at, 8, listed.labels[i]);
    }
  }
  listed.count = 0;
}

/* Own words: the library's are recorded. */
static bool is_in(const char *characters, char wanted) {
  while (*characters != 0 && *characters != wanted) {
    characters++;
  }
  return wanted != 0 && *characters == wanted;
}

/* One conversion of a format. */
struct conversion {
  char kind;      /* 0 at the end */
  unsigned stars; /* widths and precisions that are arguments */
  bool star_precision, long_double, wide, skipped;
  int size;          /* -2 hh, -1 h, 1 l, 2 ll and the like */
  size_t most_bytes; /* of a text */
};

static size_t number_at(const char **at) {
  size_t number = 0;
  while (**at >= '0' && **at <= '9') {
    number = number * 10 + (size_t)(*(*at)++ - '0');
  }
  return number;
}

static struct conversion next_conversion(const char **format, bool scanning) {
  struct conversion c = {0};
  c.most_bytes = SIZE_MAX;
  const char *at = *format;
  while (*at != 0 && (at[0] != '%' || at[1] == '%')) {
    at += at[0] == '%' ? 2 : 1;
  }
  if (*at == 0) {
    *format = at;
    return c;
  }
  bool precision = false;
  for (at++; *at != 0; at++) {
    if (*at == '*') {
      c.skipped = scanning;
      c.stars += !scanning;
      c.star_precision = precision;
    } else if (*at == '.') {
      precision = true;
      c.most_bytes = 0;
    } else if (*at >= '0' && *at <= '9') {
      size_t number = number_at(&at);
      c.most_bytes = precision ? number : c.most_bytes;
      at--;
    } else if (*at == 'h') {
      c.size--;
    } else if (*at == 'l') {
      c.size++;
    } else if (*at == 'j' || *at == 'z' || *at == 't' || *at == 'q') {
      c.size = 2;
    } else if (*at == 'L') {
      c.long_double = true;
    } else if (!is_in("+- #'mI", *at)) {
      break;
    }
  }
  c.kind = *at;
  c.wide = c.size > 0;
  if (scanning && c.kind == '[') {
    at += at[1] == '^' ? 1 : 0;
    at += at[1] == ']' ? 1 : 0;
    while (*at != 0 && *at != ']') {
      at++;
    }
  }
  *format = *at == 0 ? at : at + 1;
  return c;
}

static bool is_text(const struct conversion *c) { return c->kind == 's' && !c->wide && !c->star_precision; }

static uint32_t text_label(const char *text, size_t most, uint32_t label, uint32_t site) {
  if (text == NULL || most == 0) {
    return label;
  }
  size_t length = 0;
  while (length < most && ((const volatile char *)text)[length] != 0) {
    length++;
  }
  return __perdure_label_load(text, length < most ? length + 1 : length, label, site);
}

EXPORT uint32_t __perdure_label_formatted(const char *format, uint32_t index, const char *value, uint32_t label, uint32_t site) {
  uint32_t argument = 0;
  for (struct conversion c = next_conversion(&format, false); c.kind != 0; c = next_conversion(&format, false)) {
    argument += c.stars;
    if (argument == index) {
      return is_text(&c) ? text_label(value, c.most_bytes, label, site) : label;
    }
    argument++;
  }
  return label;
}

static bool is_real(char kind) { return is_in("aAeEfFgG", kind); }

EXPORT uint32_t __perdure_label_format_list(const char *format, const void *given, uint32_t site) {
  struct list list = *(const struct list *)given;
  uint32_t label = 0;
  for (struct conversion c = next_conversion(&format, false); c.kind != 0; c = next_conversion(&format, false)) {
    for (unsigned i = 0; i < c.stars; i++) {
      label = __perdure_label_union(label, __perdure_label_read(next_word(&list, PERDURE_CLASS_REGISTER), 8));
    }
    uint32_t class = !is_real(c.kind) ? PERDURE_CLASS_REGISTER : c.long_double ? PERDURE_CLASS_LONG : PERDURE_CLASS_VECTOR;
    char *at = next_word(&list, class);
    label = __perdure_label_union(label, __perdure_label_read(at, 8));
    if (is_text(&c)) {
      label = text_label(*(char **)at, c.most_bytes, label, site);
    }
  }
  return label;
}

static size_t scanned_size(const struct conversion *c, const char *to) {
  switch (c->kind) {
    case 's':
    case '[':
      return c->wide ? 0 : __perdure_string_length(to);
    case 'c':
      return 1;
    case 'p':
      return 8;
    default:
      return is_real(c->kind) ? (c->long_double ? 16 : c->size > 0 ? 8 : 4) : c->size > 0 ? 8 : c->size == 0 ? 4 : c->size == -1 ? 2 : 1;
  }
}

EXPORT void __perdure_label_scanned(const char *format, uint32_t index, void *to, uint32_t content, uint32_t to_label, uint32_t site) {
  uint32_t argument = 0;
  for (struct conversion c = next_conversion(&format, true); c.kind != 0; c = next_conversion(&format, true)) {
    if (!c.skipped && argument++ == index) {
      __perdure_label_fill(to, scanned_size(&c, to), content, to_label, site);
      return;
    }
  }
}

EXPORT void __perdure_label_new_text(char **text, int length, uint32_t content, uint32_t site) {
  if (length >= 0) {
    __perdure_label_fill(*text, (size_t)length + 1, content, 0, site);
  }
}

/* The elements change places: any of them may come from any. */
EXPORT void __perdure_label_mix(void *range, size_t length) {
  uint32_t label = pm_is(range, length) ? 0 : __perdure_label_read(range, length);
  if (label != 0) {
    __perdure_label_write(range, length, label);
  }
}

EXPORT void __perdure_label_outputs(int descriptor, const struct iovec *parts, uint64_t count, uint32_t label, uint32_t site) {
  for (uint64_t i = 0; i < count; i++) {
    __perdure_label_output(descriptor, parts[i].iov_base, parts[i].iov_len, label, site);
  }
}

EXPORT void __perdure_label_message(int descriptor, const struct msghdr *message, uint32_t label, uint32_t site) {
  __perdure_label_outputs(descriptor, message->msg_iov, message->msg_iovlen, label, site);
}
