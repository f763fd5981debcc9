/* Atomic variables that are read by name, inside of conditions and calculations. */
#include "pm.h"

struct ring { _Atomic uint64_t head, tail; char rest[48]; uint64_t item[32]; };

static int give(struct ring *r, uint64_t x) {
  uint64_t t = r->tail;
  if (t - r->head == 32) return 0;
  r->item[t % 32] = x;
  r->tail = t + 1;
  return 1;
}

static int take(struct ring *r, uint64_t *x) {
  uint64_t h = r->head;
  if (h == r->tail) return 0;
  *x = r->item[h % 32];
  return r->head = h + 1, 1;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct ring *r = (struct ring *)pm_map(argv[1]);
  uint64_t sum = 0, x;
  for (int i = 0; i < 40; i++) {
    give(r, i);
    while (i % 2 && take(r, &x)) sum += x;
  }
  return sum == 780 ? 0 : 1;
}
