/* LITMUS
 * command: run
 * expect: missing-flush store=A1
 * expect: missing-flush store=A2
 * expect: missing-flush store=A4
 * expect: missing-flush store=A5
 * expect: missing-flush store=A6
 * expect: missing-flush store=A7
 * expect: missing-flush store=A8
 * expect: missing-flush store=A9
 * expect: missing-flush store=B1
 * expect: missing-flush store=B2
 * END */
/* Everything that the system and libc write into persistent memory for the program is a store of the calling line. */
#include "litmus.h"
#include <sys/socket.h>
#include <sys/uio.h>

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 8192);
  int s[2], n = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s)) return 9;
  if (write(s[0], "0123456789abcdef0123456789abcdef", 32) != 32) return 9;
  n += (int)read(s[1], pm, 8); //@A1
  n += (int)recv(s[1], pm + 64, 4, 0); //@A2
  struct iovec v[2] = {{pm + 128, 2}, {pm + 192, 2}};
  n += (int)readv(s[1], v, 2); //@A3
  struct msghdr h = {.msg_iov = v, .msg_iovlen = 2};
  n += (int)recvmsg(s[1], &h, 0);
  FILE *f = tmpfile();
  fputs("first line\nsecond line\nthird\n", f);
  rewind(f);
  n += fgets(pm + 256, 40, f) != NULL; //@A4
  n += (int)fread(pm + 320, 1, 5, f); //@A5
  n += (int)pread(fileno(f), pm + 384, 5, 2); //@A6
  snprintf(pm + 448, 20, "%d", n); //@A7
  strncpy(pm + 512, "abc", 10); //@A8
  memmove(pm + 576, pm + 512, (size_t)argc + 3); //@A9
  stpcpy(pm + 640, argv[0]); //@B1
  strncat(pm + 4096, "tail", 3); //@B2
  pm_persist(pm + 128, 128);
  return n > 1000;
}
