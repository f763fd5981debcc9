/* Labels of what is formatted, scanned, and passed as variable arguments (x86-64 System V). */
#include "conversions.h"
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

static bool is_text(const struct conversion *c) { return c->letter == 's' && c->size != SIZE_LONG && !c->star_precision; }

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
  struct conversion c;
  while ((format = conversion_next(format, false, &c)) != NULL) {
    argument += (uint32_t)c.star_width + c.star_precision;
    if (argument == index) {
      return is_text(&c) ? text_label(value, c.precision, label, site) : label;
    }
    argument++;
  }
  return label;
}

EXPORT uint32_t __perdure_label_format_list(const char *format, const void *given, uint32_t site) {
  struct list list = *(const struct list *)given;
  uint32_t label = 0;
  struct conversion c;
  while ((format = conversion_next(format, false, &c)) != NULL) {
    for (unsigned i = 0; i < (unsigned)c.star_width + c.star_precision; i++) {
      label = __perdure_label_union(label, __perdure_label_read(next_word(&list, PERDURE_CLASS_REGISTER), 8));
    }
    uint32_t real_class = c.size == SIZE_LONG_DOUBLE ? PERDURE_CLASS_LONG : PERDURE_CLASS_VECTOR;
    uint32_t class = conversion_is_real(&c) ? real_class : PERDURE_CLASS_REGISTER;
    char *at = next_word(&list, class);
    label = __perdure_label_union(label, __perdure_label_read(at, 8));
    if (is_text(&c)) {
      label = text_label(*(char **)at, c.precision, label, site);
    }
  }
  return label;
}

EXPORT void __perdure_label_scanned(const char *format, uint32_t index, void *to, uint32_t content, uint32_t to_label, uint32_t site) {
  uint32_t argument = 0;
  struct conversion c;
  while ((format = conversion_next(format, true, &c)) != NULL) {
    if (!c.skipped && argument++ == index) {
      __perdure_label_fill(to, conversion_scanned(&c, to), content, to_label, site);
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
