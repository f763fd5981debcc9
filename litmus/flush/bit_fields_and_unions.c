/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * expect: missing-flush store=S3
 * END */
/* Bit-fields, members of unions and copies of structures: each store is what it covers, byte by byte. */
#include "litmus.h"

struct bits { unsigned a : 3, b : 13, c : 16; };
union u { uint64_t w; struct { uint8_t lo, rest[7]; } p; double d; };
struct big { uint64_t w[30]; };
struct pool { _Alignas(LINE) struct bits b; _Alignas(LINE) struct bits ok; _Alignas(LINE) union u u; _Alignas(LINE) union u v; _Alignas(LINE) struct big g, h; };

__attribute__((noinline)) static void copy(struct big *to, const struct big *from) {
  *to = *from; //@S3
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pm->b.b = 77; //@S1
  pm->ok.c = 3;
  pm_persist(&pm->ok, sizeof pm->ok);
  pm->u.w = 1;
  pm_persist(&pm->u, sizeof pm->u);
  pm->u.p.rest[2] = 4; //@S2
  pm->v.d = 1.5;
  pm_persist(&pm->v, sizeof pm->v);
  struct big x;
  memset(&x, argc, sizeof x);
  copy(&pm->h, &x);
  pm_persist(&pm->h, sizeof pm->h - 16 * 8);
  return 0;
}
