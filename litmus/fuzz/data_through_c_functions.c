/* LITMUS
 * command: run
 * options: --detect taint
 * expect: intra-thread-inconsistency effect=E1
 * expect: intra-thread-inconsistency effect=E2
 * expect: intra-thread-inconsistency effect=E3
 * expect: intra-thread-inconsistency effect=E4
 * expect: intra-thread-inconsistency effect=E5
 * expect: intra-thread-inconsistency effect=E6
 * expect: intra-thread-inconsistency effect=E7
 * expect: intra-thread-inconsistency effect=E8
 * expect: intra-thread-inconsistency effect=E9
 * expect: intra-thread-inconsistency effect=E10
 * expect: intra-thread-inconsistency effect=E11
 * expect: intra-thread-inconsistency effect=E12
 * expect: intra-thread-inconsistency effect=E13
 * expect: intra-thread-inconsistency effect=E14
 * expect: intra-thread-inconsistency effect=E15
 * expect: intra-thread-inconsistency effect=E16
 * expect: intra-thread-inconsistency effect=E17
 * expect: intra-thread-inconsistency effect=E18
 * expect: intra-thread-inconsistency effect=E19
 * expect: intra-thread-inconsistency effect=E20
 * expect: intra-thread-inconsistency effect=E21
 * expect: intra-thread-inconsistency effect=E22
 * expect: intra-thread-inconsistency effect=E23
 * expect: intra-thread-inconsistency effect=E24
 * expect: intra-thread-inconsistency effect=E25
 * expect: intra-thread-inconsistency effect=E26
 * expect: intra-thread-inconsistency effect=E27
 * expect: intra-thread-inconsistency effect=E28
 * expect: intra-thread-inconsistency effect=E29
 * expect: intra-thread-inconsistency effect=E30
 * expect: intra-thread-inconsistency effect=E31
 * expect: intra-thread-inconsistency effect=E32
 * expect: intra-thread-inconsistency effect=E33
 * expect: intra-thread-inconsistency effect=E34
 * expect: intra-thread-inconsistency effect=E35
 * expect: intra-thread-inconsistency effect=E36
 * expect: intra-thread-inconsistency effect=E37
 * expect: intra-thread-inconsistency effect=E39
 * END */
/* Unpersisted data of the thread's own goes on through structures, arrays, pointers, calls, variable arguments and the functions of libc,
 * into PM, a file and a socket. What depends on it only by a branch, was overwritten, or was read after the persist is no effect. */
#define _GNU_SOURCE
#include "litmus.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>
struct pair { uint64_t a, b; char text[48]; };
struct pool { struct pair src; uint64_t pad[8]; struct pair dst[64]; uint64_t table[4096]; };
static struct pool *pm; static uint64_t g; static struct pair gp; static _Thread_local uint64_t tl;
#define OUT(n) pm->dst[n].b
__attribute__((noinline)) static uint64_t ident(uint64_t x) { return x + 1; }
__attribute__((noinline)) static struct pair bystruct(struct pair p) { p.a ^= 5; return p; }
__attribute__((noinline)) static uint64_t rec(uint64_t x, int d) { return d == 0 ? x : rec(x * 3, d - 1) + d; }
__attribute__((noinline)) static uint64_t va(int n, ...) { va_list l; va_start(l, n); uint64_t s = 0; for (int i = 0; i < n; i++) s += va_arg(l, uint64_t); va_end(l); return s; }
__attribute__((noinline)) static int fmt(char *to, size_t n, const char *f, ...) { va_list l; va_start(l, f); int r = vsnprintf(to, n, f, l); va_end(l); return r; }
__attribute__((noinline)) static void outparam(uint64_t *o, const struct pair *p) { *o = p->b; }
static int cmp(const void *a, const void *b) { uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b; return x < y ? -1 : x > y; }
typedef uint64_t (*fn)(uint64_t); static fn volatile fp = ident;
int main(int c, char **v) {
  pm = pm_map(v[1], sizeof *pm);
  volatile int zero = 0; (void)c;
  pm->src.a = 7; pm->src.b = 9 + zero; strcpy(pm->src.text, "12345");
  __asm__ volatile("" ::: "memory");
  struct pair copy = pm->src;
  OUT(1) = copy.b; //@E1 struct copy
  uint64_t arr[8]; for (int i = 0; i < 8; i++) arr[i] = i; arr[3 + zero] = pm->src.b; uint64_t s = 0; for (int i = 0; i < 8; i++) s += arr[i];
  OUT(2) = s; //@E2 arrays
  OUT(3) = fp(pm->src.b); //@E3 fnptr
  char buf[64]; memcpy(buf, pm->src.text, 16); 
  memcpy(pm->dst[4].text, buf, 16); //@E4 memcpy
  char sb[64]; sprintf(sb, "%lu", pm->src.b);
  memcpy(pm->dst[5].text, sb, 8); //@E5 sprintf int
  snprintf(sb, sizeof sb, "<%s>", buf);
  memcpy(pm->dst[6].text, sb, 8); //@E6 snprintf %s of volatile copy
  snprintf(sb, sizeof sb, "<%s>", pm->src.text);
  memcpy(pm->dst[7].text, sb, 8); //@E7 snprintf %s of pm
  OUT(8) = rec(pm->src.b, 4); //@E8 recursion
  OUT(9) = va(2, (uint64_t)1, pm->src.b); //@E9 va_args
  fmt(sb, sizeof sb, "%lu", pm->src.b);
  memcpy(pm->dst[10].text, sb, 8); //@E10 vsnprintf
  g = pm->src.b; 
  OUT(11) = g; //@E11 global
  gp = bystruct(pm->src); 
  OUT(12) = gp.a; //@E12 struct by value
  tl = pm->src.b; 
  OUT(13) = tl; //@E13 thread local
  pm->table[pm->src.b] = 1; //@E14 address
  OUT(15) = strtoul(pm->src.text, NULL, 10); //@E15 strtoul
  char *d = strdup(pm->src.text); 
  strcpy(pm->dst[16].text, d); //@E16 strdup
  _Atomic uint64_t at; atomic_store(&at, pm->src.b); 
  OUT(17) = atomic_load(&at); //@E17 atomics volatile
  atomic_fetch_add((_Atomic uint64_t *)&OUT(18), pm->src.b); //@E18 atomic rmw to pm
  uint64_t exp = 0; atomic_compare_exchange_strong((_Atomic uint64_t *)&OUT(19), &exp, pm->src.b); //@E19 cas
  uint64_t o; outparam(&o, &pm->src); 
  OUT(20) = o; //@E20 out parameter
  uint64_t q[4] = {5, 3, pm->src.b, 1}; qsort(q, 4, 8, cmp); 
  OUT(21) = q[3]; //@E21 qsort
  double f = (double)pm->src.b * 1.5; 
  OUT(22) = (uint64_t)f; //@E22 floating point
  uint64_t *h = malloc(8); *h = pm->src.b; h = realloc(h, 4096); 
  OUT(23) = *h; //@E23 realloc
  strncat(strcpy(sb, "x"), pm->src.text, 10); 
  memcpy(pm->dst[24].text, sb, 8); //@E24 strncat
  OUT(25) = strlen(pm->src.text); //@E25 strlen
  uint64_t sel = zero ? 3 : pm->src.b; 
  OUT(26) = sel; //@E26 select
  char path[300];
  snprintf(path, sizeof path, "%s.copy", v[1]);
  int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600); 
  write(fd, &pm->src.b, 8); //@E27 write direct
  uint64_t wv = pm->src.b; struct iovec io = {&wv, 8}; 
  writev(fd, &io, 1); //@E28 writev
  int sp[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, sp); 
  send(sp[0], buf, 8, 0); //@E29 send
  struct msghdr mh = {.msg_iov = &io, .msg_iovlen = 1}; 
  sendmsg(sp[0], &mh, 0); //@E30 sendmsg
  FILE *fo = fdopen(fd, "w"); 
  fprintf(fo, "%s\n", buf); //@E31 fprintf %s
  fflush(fo);
  memset(pm->dst[32].text, (int)pm->src.b, 8); //@E32 memset value
  uint64_t sw = 0; memcpy(&sw, (char *)&pm->src.b, 8); sw = __builtin_bswap64(sw); 
  OUT(33) = sw; //@E33 bswap
  union { uint64_t u; char ch[8]; } un; un.u = pm->src.b; char one = un.ch[0]; 
  pm->dst[34].text[0] = one; //@E34 union byte
  char *tok = strtok(buf, "3"); 
  strcpy(pm->dst[35].text, tok); //@E35 strtok
  unsigned long sc; sscanf(pm->src.text, "%lu", &sc); 
  OUT(36) = sc; //@E36 sscanf
  char *as; asprintf(&as, "%lu", pm->src.b); 
  strcpy(pm->dst[37].text, as); //@E37 asprintf
  uint64_t m[2]; memmove(m, &pm->src, 16); 
  memmove(&pm->dst[39], m, 16); //@E39 memmove
  if (pm->src.b == 9) 
    OUT(40) = 1; // branch only: no effect
  uint64_t ow = pm->src.b; ow = 3 + zero; 
  OUT(41) = ow; // overwritten: no effect
  char ob[8]; memcpy(ob, &pm->src.b, 8); memset(ob, 0, 8); 
  memcpy(&OUT(42), ob, 8); // overwritten buffer: no effect
  free(h); h = malloc(8 + zero); h[0] = 4; 
  OUT(43) = h[0]; // reused heap: no effect
  uint64_t p2 = pm->src.a; pm_persist(&pm->src, sizeof pm->src); 
  uint64_t after = pm->src.b; 
  OUT(44) = after; // after persist: no effect
  (void)p2;
  return 0;
}
