/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * expect: missing-flush store=S3
 * expect: missing-flush store=S4
 * expect: missing-flush store=S5
 * expect: missing-flush store=S6
 * expect: missing-flush store=S7
 * expect: missing-flush store=S8
 * expect: missing-flush store=S9
 * expect: missing-flush store=S10
 * expect: missing-flush store=S11
 * END */
/* More functions of libc that leave something in persistent memory: descriptors, names, addresses, times, what a process has used, the state
 * of a random generator, swapped bytes, wide texts. Each is a store at the line of the call; none is flushed. */
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
  if (pipe(pm->ends) != 0) return 9; //@S1
  if (pipe2(pm->more_ends, O_CLOEXEC) != 0) return 9; //@S2
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pm->sockets) != 0) return 9; //@S3
  if (uname(&pm->system) != 0) return 9; //@S4
  if (getrusage(RUSAGE_SELF, &pm->used) != 0) return 9; //@S5
  if (timespec_get(&pm->now, TIME_UTC) != TIME_UTC) return 9; //@S6
  if (inet_pton(AF_INET, "127.0.0.1", &pm->address) != 1) return 9; //@S7
  keep((uint64_t)rand_r(&pm->seed)); //@S8
  swab("abcdef", pm->swapped, 6); //@S9
  wcsncat(pm->wide, L"abc", 2); //@S10
  strxfrm(pm->key, argv[0], LINE); //@S11
  return 0;
}
