/* What carries a label where. Labels are put on memory by hand, and each result says which one it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern uint32_t __perdure_label_read(const void *addr, size_t length);
extern void __perdure_label_write(void *addr, size_t length, uint32_t label);

#define APART __attribute__((noinline))
enum { A = 7, B = 9 };

static void tell(const char *name, const void *at, size_t length) { printf("%s: %u\n", name, __perdure_label_read(at, length)); }
#define TELL(name, variable) tell(name, &(variable), sizeof(variable))

static long a, b, plain;
static void mark(void) {
  a = 5;
  b = 6;
  plain = 1;
  __perdure_label_write(&a, sizeof a, A);
  __perdure_label_write(&b, sizeof b, B);
}

APART static long twice(long x) { return x + x; }
APART static long second(long x, long y) { return x > 100 ? x : y; }
APART static long constant(long x) {
  (void)x;
  return 3;
}
static long (*volatile pointed)(long) = twice;

struct pair {
  long left, right;
};
APART static long right_of(struct pair p) { return p.right; }
APART static struct pair swapped(struct pair p) { return (struct pair){p.right, p.left}; }
APART static struct pair chosen(struct pair p, long which) {
  if (which < 0) {
    return swapped(p);
  }
  return (struct pair){p.left + 1, p.right + 1};
}

static jmp_buf place;
APART static long jumped(long x) {
  int value = setjmp(place);
  if (value != 0) {
    return value;
  }
  longjmp(place, (int)x);
}

struct large {
  long numbers[8];
};
APART static long third_of(struct large l) { return l.numbers[3]; }

APART static long nth(int n, ...) {
  va_list list;
  long value = 0;
  va_start(list, n);
  for (int i = 0; i <= n; i++) {
    value = va_arg(list, long);
  }
  va_end(list);
  return value;
}

APART static long sum(const long *numbers, int count) {
  long total = 0;
  for (int i = 0; i < count; i++) {
    total += numbers[i];
  }
  return total;
}

static int by_value(const void *x, const void *y) { return *(const long *)x < *(const long *)y ? -1 : 1; }

static void registers_and_memory(volatile int *yes) {
  long result = a * 3 + 1;
  TELL("arithmetic", result);
  result = plain;
  TELL("overwritten", result);
  result = (long)((double)a / 2);
  TELL("floating point", result);
  int half = (int)a;
  TELL("truncated", half);
  if (*yes) {
    result = a + 1;
    printf("left\n");
  } else {
    result = b + 1;
    printf("right\n");
  }
  TELL("phi", result);
  result = *yes ? a : b;
  TELL("select", result);
  result = a > 3 ? 1 : 2;
  TELL("branch only", result);
  long numbers[4] = {1, 2, a, 4};
  result = sum(numbers, 4);
  TELL("loop", result);
  TELL("element beside", numbers[1]);
  unsigned char bytes[8];
  memset(bytes, 0, sizeof bytes);
  __perdure_label_write(bytes + 2, 1, A);
  TELL("byte", bytes[2]);
  TELL("byte beside", bytes[3]);
  _Atomic long word = 0;
  atomic_fetch_add(&word, a);
  TELL("read-modify-write", word);
  long expected = 5;
  atomic_compare_exchange_strong(&word, &expected, b);
  TELL("compare-exchange", word);
}

static void addresses_and_contents(void) {
  static long table[16];
  long result = table[a];
  TELL("content by address", result);
  table[a] = plain;
  TELL("address of a store", table[5]);
  table[3] = a;
  TELL("content of a store", table[3]);
}

static void calls(void) {
  long result = twice(a);
  TELL("result of a call", result);
  result = second(a, plain);
  TELL("other argument", result);
  result = constant(a);
  TELL("argument unused", result);
  result = pointed(a);
  TELL("call by pointer", result);
  struct pair pair = {plain, a};
  result = right_of(pair);
  TELL("structure", result);
  pair = swapped(pair);
  TELL("returned structure", pair.left);
  TELL("beside in a returned structure", pair.right);
  pair = swapped(pair);
  TELL("structure returned twice", pair.right);
  TELL("beside in a structure returned twice", pair.left);
  pair = chosen(pair, plain);
  TELL("structure on one of two ways", pair.right);
  TELL("beside in a structure on one of two ways", pair.left);
  result = jumped(a);
  TELL("through longjmp", result);
  result = jumped(plain);
  TELL("nothing through longjmp", result);
  struct large large = {{0}};
  large.numbers[3] = a;
  result = third_of(large);
  TELL("copied structure", result);
  result = nth(2, plain, plain, a, plain);
  TELL("variable argument", result);
  result = nth(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, b, 11L);
  TELL("variable argument on the stack", result);
  result = nth(1, a, plain);
  TELL("other variable argument", result);
}

static void copies_and_strings(volatile size_t *length) {
  long result = 0;
  memcpy(&result, &a, *length);
  TELL("memcpy", result);
  long four[4] = {a, 0, 0, 0};
  memmove(four + 1, four, 2 * *length);
  TELL("memmove", four[1]);
  TELL("behind memmove", four[2]);
  char text[32] = "abcdefg", other[32] = "";
  __perdure_label_write(text, 7, A);
  strcpy(other, text);
  tell("strcpy", other, 7);
  tell("behind strcpy", other + 8, 8);
  strcat(other, "xyz");
  tell("strcat, before", other, 7);
  tell("strcat, behind", other + 7, 3);
  memset(other, (int)b, *length);
  tell("memset", other, 8);
  result = (long)strlen(text);
  TELL("strlen", result);
  strcpy(text, "12");
  __perdure_label_write(text, 2, B);
  result = strtol(text, NULL, 10);
  TELL("strtol", result);
  snprintf(other, sizeof other, "%ld", a);
  tell("snprintf", other, 1);
  int scanned = 0;
  sscanf(text, "%d", &scanned);
  TELL("sscanf", scanned);
  char *copy = strdup(text);
  tell("strdup", copy, 2);
  free(copy);
  long sorted[3] = {3, a, 1};
  qsort(sorted, 3, sizeof(long), by_value);
  tell("qsort", sorted, sizeof sorted);
}

int main(int argc, char **argv) {
  (void)argv;
  volatile int yes = argc == 1;
  volatile size_t length = sizeof(long);
  mark();
  registers_and_memory(&yes);
  addresses_and_contents();
  calls();
  copies_and_strings(&length);
  return 0;
}
