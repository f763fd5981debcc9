/* LITMUS
 * command: run
 * END */
/* The correct twin of read_by_library_more: the text is persisted under the lock under which it is read. */
#include "litmus.h"
#include <arpa/inet.h>

struct pool { _Alignas(LINE) char text[LINE]; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note first;

static void *writer(void *arg) {
  await(&first);
  pthread_mutex_lock(&a);
  strcpy(pm->text, "127.0.0.1");
  pm_persist(pm->text, LINE);
  pthread_mutex_unlock(&a);
  return arg;
}

static double look(const char *other) {
  pthread_mutex_lock(&a);
  double number = strtod(pm->text, NULL);
  struct in_addr address;
  keep((uint64_t)access(pm->text, R_OK));
  keep((uint64_t)inet_pton(AF_INET, pm->text, &address));
  keep((uint64_t)strcoll(pm->text, other));
  keep((uint64_t)strcasestr(pm->text, "X"));
  pthread_mutex_unlock(&a);
  return number;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (look(argv[0]) == 0) {
    tell(&first);
    pause_ms(2);
  }
  finish(t);
  return 0;
}
