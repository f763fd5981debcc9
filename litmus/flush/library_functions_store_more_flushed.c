/* LITMUS
 * command: run
 * END */
/* The correct twin of library_functions_store_more: all of it is persisted. */
#include "litmus.h"
#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <time.h>
#include <wchar.h>

struct pool {
  _Alignas(LINE) int ends[2];
  _Alignas(LINE) int more_ends[2];
  _Alignas(LINE) int sockets[2];
  _Alignas(LINE) struct utsname system;
  _Alignas(LINE) struct rusage used;
  _Alignas(LINE) struct timespec now;
  _Alignas(LINE) struct in_addr address;
  _Alignas(LINE) unsigned seed;
  _Alignas(LINE) char swapped[LINE];
  _Alignas(LINE) wchar_t wide[LINE];
  _Alignas(LINE) char key[LINE];
};

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  if (pipe(pm->ends) != 0) return 9;
  if (pipe2(pm->more_ends, O_CLOEXEC) != 0) return 9;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pm->sockets) != 0) return 9;
  if (uname(&pm->system) != 0) return 9;
  if (getrusage(RUSAGE_SELF, &pm->used) != 0) return 9;
  if (timespec_get(&pm->now, TIME_UTC) != TIME_UTC) return 9;
  if (inet_pton(AF_INET, "127.0.0.1", &pm->address) != 1) return 9;
  keep((uint64_t)rand_r(&pm->seed));
  swab("abcdef", pm->swapped, 6);
  wcsncat(pm->wide, L"abc", 2);
  strxfrm(pm->key, argv[0], LINE);
  pm_persist(pm->ends, sizeof pm->ends);
  pm_persist(pm->more_ends, sizeof pm->more_ends);
  pm_persist(pm->sockets, sizeof pm->sockets);
  pm_persist(&pm->system, sizeof pm->system);
  pm_persist(&pm->used, sizeof pm->used);
  pm_persist(&pm->now, sizeof pm->now);
  pm_persist(&pm->address, sizeof pm->address);
  pm_persist(&pm->seed, sizeof pm->seed);
  pm_persist(pm->swapped, 6);
  pm_persist(pm->wide, 3 * sizeof(wchar_t));
  pm_persist(pm->key, strlen(pm->key) + 1);
  return 0;
}
