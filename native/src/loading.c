/* The loader calls the empty function that it shows to debuggers (r_brk) when it has mapped new modules and before it runs their
 * constructors, and after it has unmapped some. A jump there leads to us. The loader's lock is held meanwhile. */
#include "loading.h"
#include "callers.h"
#include "near_memory.h"
#include "patching.h"
#include "plans.h"
#include "system.h"
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_MODULES 2048u
#define PAGE UINT64_C(4096)
#define JUMP_BYTES 5

static struct {
  uint64_t base;
  uint64_t name; /* its hash */
  bool seen;
} modules[MOST_MODULES];
static uint32_t module_count;
static bool observes_itself;
static struct link_map *last_namespace;

static uint64_t hash_of(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name != 0; name++) {
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static bool known(uint64_t base, uint64_t name) {
  for (uint32_t i = 0; i < module_count; i++) {
    if (modules[i].base == base && modules[i].name == name) {
      modules[i].seen = true;
      return true;
    }
  }
  return false;
}

/* Beside a program that observes itself: libraries whose functions are interposed, and those of the compiler. */
static bool stays_plain(const char *path) {
  static const char *const names[] = {"ld-linux", "libc.",     "libm.",     "libmvec.",    "libpthread.", "libdl.",   "librt.",  "libgcc_s.",
                                      "libstdc++.", "libatomic.", "libpmem", "libndctl.", "libdaxctl.", "libkmod.", "libuuid.", "libperdure"};
  const char *name = strrchr(path, '/');
  name = name != NULL ? name + 1 : path;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strncmp(name, names[i], strlen(names[i])) == 0) {
      return true;
    }
  }
  return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  char buffer[PATH_MAX];
  uint64_t name = hash_of(info->dlpi_name);
  if (known(info->dlpi_addr, name)) {
    return 0;
  }
  bool program = module_count == 0;
  if (module_count < MOST_MODULES) {
    modules[module_count].base = info->dlpi_addr;
    modules[module_count].name = name;
    modules[module_count++].seen = true;
  }
  const char *path = realpath(info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe", buffer);
  if (path != NULL && !(observes_itself && stays_plain(path))) {
    bool hooks = !patching_module(info, path);
    observes_itself |= hooks && program;
  }
  return 0;
}

/* What the loader does not list any more was unmapped. */
static void forget_unloaded(void) {
  for (uint32_t i = 0; i < module_count;) {
    if (modules[i].seen) {
      i++;
    } else {
      patching_forget(modules[i].base);
      callers_remove(modules[i].base);
      modules[i] = modules[--module_count];
    }
  }
}

static void look(void) {
  for (uint32_t i = 0; i < module_count; i++) {
    modules[i].seen = false;
  }
  dl_iterate_phdr(look_at, NULL);
  forget_unloaded();
}

/* Modules that dlmopen loads apart have a C library of their own, which we are not in. */
static void look_at_namespaces(void) {
  struct r_debug *const volatile first = &_r_debug;
  const struct {
    struct r_debug first;
    struct r_debug *next;
  } *lists = (const void *)first;
  if (_r_debug.r_version < 2 || lists->next == NULL || lists->next->r_map == NULL || lists->next->r_map == last_namespace) {
    return;
  }
  last_namespace = lists->next->r_map;
  plans_unobserved(last_namespace->l_name, "is loaded with dlmopen into a namespace of its own; it runs unobserved");
}

static void loader_changed(void) {
  int saved = errno;
  if (_r_debug.r_state == RT_CONSISTENT && perdure_recording && perdure_in_own_process()) {
    look();
    look_at_namespaces();
  }
  errno = saved;
}

/* A function that only returns, with room for a jump: the bytes behind it do nothing. */
static bool is_empty(const unsigned char *function) {
  static const unsigned char marked[JUMP_BYTES] = {0xf3, 0x0f, 0x1e, 0xfa, 0xc3};
  if (memcmp(function, marked, sizeof marked) == 0) {
    return true;
  }
  bool empty = function[0] == 0xc3;
  for (int i = 1; i < JUMP_BYTES; i++) {
    empty &= memchr("\x66\x2e\x0f\x1f\x90\xcc\x40\x44\x80\x84", function[i], 10) != NULL || function[i] == 0;
  }
  return empty;
}

/* jmp *(rip); the address. Near the loader, since we may be far. */
static unsigned char *stepping_stone(uint64_t function) {
  static const unsigned char jump[6] = {0xff, 0x25, 0, 0, 0, 0};
  unsigned char *stone = near_memory_map(function, function + JUMP_BYTES, PAGE);
  void (*target)(void) = loader_changed;
  if (stone != NULL) {
    memcpy(stone, jump, sizeof jump);
    memcpy(stone + sizeof jump, &target, sizeof target);
    SYSTEM(SYS_mprotect, stone, PAGE, PROT_READ | PROT_EXEC);
  }
  return stone;
}

static bool lead_loader_here(void) {
  uint64_t at = _r_debug.r_brk, page = at & ~(PAGE - 1);
  if (at == 0 || !is_empty((const unsigned char *)at)) {
    return false;
  }
  unsigned char *stone = stepping_stone(at);
  if (stone == NULL || system_failed(SYSTEM(SYS_mprotect, page, at + JUMP_BYTES - page, PROT_READ | PROT_WRITE | PROT_EXEC))) {
    return false;
  }
  int32_t distance = (int32_t)((int64_t)stone - (int64_t)(at + JUMP_BYTES));
  *(unsigned char *)at = 0xe9;
  memcpy((unsigned char *)at + 1, &distance, sizeof distance);
  SYSTEM(SYS_mprotect, page, at + JUMP_BYTES - page, PROT_READ | PROT_EXEC);
  return true;
}

void loading_follow(void) {
  look();
  if (!lead_loader_here()) {
    plans_unobserved("modules loaded later", "this program loader cannot be followed; they run unobserved");
  }
}
