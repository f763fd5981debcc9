/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L0
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before,observed-read
 * expect: persistency-race store=S1 load=L2 level>=observed evidence=lockset,happens-before,observed-read
 * expect: persistency-race store=S1 load=L3 level>=observed evidence=lockset,happens-before,observed-read
 * expect: persistency-race store=S1 load=L4 level>=observed evidence=lockset,happens-before,observed-read
 * expect: persistency-race store=S1 load=L5 level>=observed evidence=lockset,happens-before,observed-read
 * END */
/* A text that is not persisted yet is read as a number with a fraction, as a path, as an address, compared by the rules of the locale, and
 * searched regardless of case. */
#include "litmus.h"
#include <arpa/inet.h>

struct pool { _Alignas(LINE) char text[LINE]; };
static struct pool *pm;
static note first, stored, looked;

static void *writer(void *arg) {
  await(&first);
  strcpy(pm->text, "127.0.0.1"); //@S1
  tell(&stored);
  await(&looked);
  pm_persist(pm->text, LINE);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  keep((uint64_t)pm->text[0]); //@L0
  tell(&first);
  await(&stored);
  double number = strtod(pm->text, NULL); //@L1
  keep(number > 1);
  keep((uint64_t)access(pm->text, R_OK)); //@L2
  struct in_addr address;
  keep((uint64_t)inet_pton(AF_INET, pm->text, &address)); //@L3
  keep((uint64_t)strcoll(pm->text, argv[0])); //@L4
  keep((uint64_t)strcasestr(pm->text, "X")); //@L5
  tell(&looked);
  finish(t);
  return 0;
}
