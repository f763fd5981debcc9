/* A runtime for tests: every hook appends one line to the file named by HOOKS. Addresses are printed relative to test_pm, one page
 * of "persistent memory"; other addresses as "ordinary". Each line ends with the local number of the site. */
#define _GNU_SOURCE
#include "perdure_hooks.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_SITE = 1000 }; /* hooks without a site are shown there */

#define EXPORT __attribute__((visibility("default")))
#define PAGE 4096

EXPORT unsigned char __perdure_pm_map[32768];
static uint64_t stack[4096];
EXPORT _Thread_local struct perdure_thread_local __perdure_tls = {stack};
EXPORT char *test_pm;
static int out = -1;

__attribute__((constructor)) static void start(void) {
  test_pm = mmap((void *)0x200000000000, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  __perdure_pm_map[0x2000] = 1;
  if (getenv("HOOKS") != NULL) out = open(getenv("HOOKS"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

/* The call sites on the shadow stack, the innermost last. */
static int frames(char *text) {
  int n = 0;
  for (uint64_t *f = stack; f < __perdure_tls.sp; f++) n += sprintf(text + n, "%s%u", n ? "," : "", (unsigned)*f - FIRST_SITE);
  return n;
}

__attribute__((format(printf, 2, 3))) static void say(uint32_t site, const char *format, ...) {
  char line[4096];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(line, sizeof line / 2, format, arguments);
  va_end(arguments);
  n += sprintf(line + n, " [");
  n += frames(line + n);
  n += sprintf(line + n, "] %u\n", site - FIRST_SITE);
  if (out >= 0 && write(out, line, (size_t)n) != n) abort();
}

static const char *place(const void *address) {
  static char text[8][32];
  static int next;
  char *t = text[next++ % 8];
  long offset = (const char *)address - test_pm;
  if (offset >= 0 && offset < PAGE)
    sprintf(t, "+%ld", offset);
  else
    sprintf(t, "ordinary");
  return t;
}

static const char *hex(const void *bytes, size_t n) {
  static char text[2][1024];
  static int next;
  char *t = text[next++ % 2];
  for (size_t i = 0; i < n; i++) sprintf(t + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
  return t;
}

#define SIZE (int)(info & 31)
#define ORDER (int)(info >> 5)

EXPORT void __perdure_module_begin(const struct perdure_module_descriptor *m) { *m->base = FIRST_SITE; }

#define ACCESS(name)                                                                                            \
  EXPORT void __perdure_##name(void *a, uint64_t v, uint32_t info, uint32_t s) {                                 \
    say(s, #name " %s size=%d order=%d value=%llx", place(a), SIZE, ORDER, (unsigned long long)v);               \
  }
#define READ(name)                                                                                              \
  EXPORT void __perdure_##name(const void *a, uint64_t v, uint32_t info, uint32_t s) {                           \
    say(s, #name " %s size=%d order=%d value=%llx", place(a), SIZE, ORDER, (unsigned long long)v);               \
  }
READ(load)
READ(load_followed)
ACCESS(store)
ACCESS(store_preceded)
ACCESS(store_nt)
READ(atomic_load)
ACCESS(atomic_store)
READ(volatile_load)
ACCESS(volatile_store)

EXPORT void __perdure_load_block(const void *a, size_t n, uint32_t s) { say(s, "load_block %s length=%zu", place(a), n); }
EXPORT void __perdure_store_block(void *a, const void *b, size_t n, uint32_t nt, uint32_t s) {
  say(s, "store_block %s length=%zu nt=%u bytes=%s", place(a), n, nt, hex(b, n));
}
EXPORT void __perdure_copy(void *to, const void *from, size_t n, uint32_t s) {
  say(s, "copy %s %s length=%zu", place(to), place(from), n);
  __builtin_memcpy(to, from, n);
}
EXPORT void __perdure_move(void *to, const void *from, size_t n, uint32_t s) {
  say(s, "move %s %s length=%zu", place(to), place(from), n);
  __builtin_memmove(to, from, n);
}
EXPORT void __perdure_fill(void *to, int byte, size_t n, uint32_t s) {
  say(s, "fill %s byte=%d length=%zu", place(to), byte, n);
  __builtin_memset(to, byte, n);
}

static uint64_t before;
EXPORT void __perdure_rmw_begin(void *a, uint32_t info, uint32_t s) {
  (void)s;
  before = 0;
  __builtin_memcpy(&before, a, SIZE < 8 ? SIZE : 8);
}
EXPORT void __perdure_rmw_end(void *a, const void *o, const void *n, uint32_t op, uint32_t stored, uint32_t info, uint32_t s) {
  say(s, "rmw16 %s size=%d order=%d old=%s new=%s operation=%u stored=%u", place(a), SIZE, ORDER, hex(o, 16), hex(n, 16), op, stored);
}
EXPORT void __perdure_rmw_end8(void *a, uint64_t o, uint64_t n, uint32_t op, uint32_t stored, uint32_t info, uint32_t s) {
  say(s, "rmw %s size=%d order=%d old=%llx new=%llx operation=%u stored=%u", place(a), SIZE, ORDER, (unsigned long long)o,
      (unsigned long long)n, op, stored);
}
EXPORT void __perdure_rmw_end_unknown(void *a, uint32_t op, uint32_t info, uint32_t s) {
  uint64_t after = 0;
  __builtin_memcpy(&after, a, SIZE < 8 ? SIZE : 8);
  say(s, "rmw_unknown %s size=%d old=%llx new=%llx operation=%u", place(a), SIZE, (unsigned long long)before,
      (unsigned long long)after, op);
}

EXPORT void __perdure_flush(const void *a, uint32_t kind, uint32_t s) { say(s, "flush %s kind=%u", place(a), kind); }
EXPORT void __perdure_flush_preceded(const void *a, uint32_t kind, uint32_t s) { say(s, "flush_preceded %s kind=%u", place(a), kind); }
EXPORT void __perdure_fence(uint32_t kind, uint32_t s) { say(s, "fence kind=%u", kind); }

/* The same for callers that keep their registers. */
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_load(const void *a, uint64_t v, uint32_t info, uint32_t s) { __perdure_load(a, v, info, s); }
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_load_followed(const void *a, uint64_t v, uint32_t info, uint32_t s) {
  __perdure_load_followed(a, v, info, s);
}
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_store(void *a, uint64_t v, uint32_t info, uint32_t s) { __perdure_store(a, v, info, s); }
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_store_preceded(void *a, uint64_t v, uint32_t info, uint32_t s) {
  __perdure_store_preceded(a, v, info, s);
}
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_flush(const void *a, uint64_t n, uint32_t kind, uint32_t s) {
  if (n != 1) abort();
  __perdure_flush(a, kind, s);
}
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_flush_preceded(const void *a, uint64_t n, uint32_t kind, uint32_t s) {
  if (n != 1) abort();
  __perdure_flush_preceded(a, kind, s);
}
EXPORT PERDURE_KEEPS_REGISTERS void __perdure_quick_fence(const void *a, uint64_t n, uint32_t kind, uint32_t s) {
  if (a != NULL || n != 0) abort();
  __perdure_fence(kind, s);
}

EXPORT void __perdure_named_acquire(void *l, uint32_t flags, uint32_t s) { say(s, "acquire %s flags=%u", place(l), flags); }
EXPORT void __perdure_named_release(void *l, uint32_t flags, uint32_t s) { say(s, "release %s flags=%u", place(l), flags); }
EXPORT void __perdure_named_alloc(void *a, size_t n, uint32_t z, uint32_t s) { say(s, "alloc %s size=%zu zeroed=%u", place(a), n, z); }
EXPORT void __perdure_named_free(void *a, uint32_t s) { say(s, "free %s", place(a)); }
EXPORT void __perdure_named_flush(const void *a, size_t n, uint32_t s) { say(s, "named_flush %s length=%zu", place(a), n); }
EXPORT void __perdure_named_fence(uint32_t s) { say(s, "named_fence"); }
EXPORT void __perdure_named_create_begin(void) { say(FIRST_SITE, "create_begin"); }
EXPORT void __perdure_named_create_end(uint64_t name) { say(FIRST_SITE, "create_end %s", place((void *)name)); }
EXPORT void __perdure_named_join_begin(uint64_t name) { say(FIRST_SITE, "join_begin %s", place((void *)name)); }
EXPORT void __perdure_named_join_end(uint32_t s) { say(s, "join_end"); }
EXPORT void __perdure_named_persist(const void *a, size_t n, uint32_t s) { say(s, "persist %s length=%zu", place(a), n); }
