/* LITMUS
 * command: run
 * options: --detect taint
 * END */
/* Unpersisted data of the thread's own is read over and over, and none of it gets into what the thread makes durable: it is overwritten, cut off,
 * thrown away, only compared, or persistent by the time it is used. Nothing is wrong. */
#include "litmus.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

struct source { _Alignas(LINE) volatile uint64_t number; char text[40]; };
struct slot { _Alignas(LINE) volatile uint64_t number; char text[40]; };
struct pool { struct source from, persisted; struct slot to[32]; };
struct pair { uint64_t a, b; };
static struct pool *pm;
static uint64_t global;
static _Atomic uint64_t shared;

static void save(int slot, uint64_t number) {
  pm->to[slot].number = number;
  pm_persist(&pm->to[slot], sizeof(struct slot));
}

static void save_text(int slot, const char *text) {
  memcpy(pm->to[slot].text, text, sizeof pm->to[slot].text);
  pm_persist(&pm->to[slot], sizeof(struct slot));
}

__attribute__((noinline)) static uint64_t ignores(uint64_t number) {
  static volatile uint64_t seen;
  seen = number;
  return 3;
}

__attribute__((noinline)) static uint64_t uses_stack(uint64_t number) {
  volatile uint64_t room[16];
  for (int i = 0; i < 16; i++) {
    room[i] = number;
  }
  return room[7];
}

__attribute__((noinline)) static uint64_t fresh_stack(void) {
  volatile uint64_t room[16];
  for (int i = 0; i < 16; i++) {
    room[i] = (uint64_t)i;
  }
  return room[7];
}

__attribute__((noinline)) static uint64_t second(int count, ...) {
  va_list list;
  va_start(list, count);
  (void)va_arg(list, uint64_t);
  uint64_t value = va_arg(list, uint64_t);
  va_end(list);
  return value;
}


static int larger(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1], sizeof *pm);
  pm->from.number = 42;
  memcpy(pm->from.text, "0123456789", 11);
  pm->persisted.number = 43;
  uint64_t early = pm->persisted.number;
  pm_persist(&pm->persisted, sizeof(struct source));
  save(0, early);

  uint64_t overwritten = pm->from.number;
  ignores(overwritten);
  overwritten = 5;
  save(1, overwritten);
  save(2, ignores(pm->from.number));
  uses_stack(pm->from.number);
  save(3, fresh_stack());
  save(4, second(2, (uint64_t)pm->from.number, (uint64_t)9));
  if (pm->from.number > 7) {
    save(6, 1);
  }
  global = pm->from.number;
  global = 2;
  save(7, global);
  atomic_store(&shared, pm->from.number);
  atomic_exchange(&shared, 4);
  save(8, atomic_load(&shared));

  char buffer[40];
  memcpy(buffer, pm->from.text, sizeof buffer);
  memset(buffer, 'x', sizeof buffer);
  save_text(9, buffer);
  memcpy(buffer, pm->from.text, sizeof buffer);
  char other[40] = "something else that has nothing to do";
  memcpy(buffer, other, sizeof buffer);
  save_text(10, buffer);
  memset(buffer, 0, sizeof buffer);
  snprintf(buffer, sizeof buffer, "%s", pm->from.text);
  memset(buffer, 0, sizeof buffer);
  snprintf(buffer, sizeof buffer, "%d", 17);
  save_text(11, buffer);

  uint64_t *block = malloc(64);
  block[2] = pm->from.number;
  ignores(block[2]);
  free(block);
  block = calloc(8, 8);
  save(13, block[2]);
  free(block);
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, larger);
  save(14, (uint64_t)numbers[0]);
  struct pair copy = {pm->from.number, 6};
  struct pair again = copy;
  save(15, again.b);
  return 0;
}
