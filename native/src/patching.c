/* A plan (docs/formats/plan.md) is the copy of a module's code, lists of places in it to which the distance to the module or the
 * module's first site number is added, and the jumps that lead from the text into the copy. */
#include "patching.h"
#include "callers.h"
#include "gates.h"
#include "near_memory.h"
#include "system.h"
#include "traps.h"
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PLAN_MAGIC UINT64_C(0x314e4c5044524550) /* "PERDPLN1", little endian */
#define PLAN_VERSION 3u
#define PAGE UINT64_C(4096)

struct plan_header {
  uint64_t magic;
  uint32_t version;
  uint32_t code_bytes, module_fixups, site_fixups, patches, sites;
  uint32_t text_low, text_high;
  uint32_t coverage_bytes, calls, frames, reserved;
  uint8_t id[16];
};
_Static_assert(sizeof(struct plan_header) == 72, "plan header");

enum patch_kind { PATCH_JUMP = 0, PATCH_SHORT_JUMP = 1, PATCH_CALL = 2, PATCH_TRAP = 3 };
struct plan_patch {
  uint32_t address, target;
  uint8_t kind, length, before[5], reserved;
};
_Static_assert(sizeof(struct plan_patch) == 16, "plan patch");

struct plan {
  const struct plan_header *header;
  const unsigned char *code;
  const uint32_t *module_fixups, *site_fixups, *sites, *calls;
  const struct frame_row *frames;
  const struct plan_patch *patches;
  size_t bytes;
};

static char *plan_index;
static size_t index_bytes;

static void *map_file(const char *path, size_t *bytes) {
  struct stat about;
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(fd)) {
    return NULL;
  }
  long address = -1;
  if (SYSTEM(SYS_fstat, fd, &about, 0) == 0 && about.st_size > 0) {
    *bytes = (size_t)about.st_size;
    address = SYSTEM6(SYS_mmap, 0, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  }
  SYSTEM(SYS_close, fd, 0, 0);
  return system_failed(address) ? NULL : (void *)address;
}

static bool open_plan(const char *path, struct plan *plan) {
  const struct plan_header *h = map_file(path, &plan->bytes);
  if (h == NULL) {
    return false;
  }
  uint64_t wanted = sizeof *h + (uint64_t)h->code_bytes + 4 * ((uint64_t)h->module_fixups + h->site_fixups + h->sites + h->calls) + sizeof(struct frame_row) * (uint64_t)h->frames +
                    sizeof(struct plan_patch) * (uint64_t)h->patches + h->coverage_bytes;
  if (plan->bytes < sizeof *h || h->magic != PLAN_MAGIC || h->version != PLAN_VERSION || wanted != plan->bytes) {
    return false;
  }
  plan->header = h;
  plan->code = (const unsigned char *)(h + 1);
  plan->module_fixups = (const uint32_t *)(plan->code + h->code_bytes);
  plan->site_fixups = plan->module_fixups + h->module_fixups;
  plan->sites = plan->site_fixups + h->site_fixups;
  plan->calls = plan->sites + h->sites;
  plan->frames = (const struct frame_row *)(plan->calls + h->calls);
  plan->patches = (const struct plan_patch *)(plan->frames + h->frames);
  return true;
}

static bool text_is_as_planned(const struct plan *plan, const unsigned char *module) {
  for (uint32_t i = 0; i < plan->header->patches; i++) {
    const struct plan_patch *p = &plan->patches[i];
    if (memcmp(module + p->address, p->before, p->length) != 0) {
      return false;
    }
  }
  return true;
}

static void add_to(unsigned char *at, uint32_t value) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  word += value;
  memcpy(at, &word, sizeof word);
}

/* Gives the copy a place near the module and makes it ready to run there. */
static unsigned char *load_copy(const struct plan *plan, unsigned char *module) {
  const struct plan_header *h = plan->header;
  unsigned char *copy = near_memory_map((uint64_t)module + h->text_low, (uint64_t)module + h->text_high, h->code_bytes);
  if (copy == NULL) {
    return NULL;
  }
  memcpy(copy, plan->code, h->code_bytes);
  uint32_t distance = (uint32_t)(module - copy);
  for (uint32_t i = 0; i < h->module_fixups; i++) {
    add_to(copy + plan->module_fixups[i], distance);
  }
  return copy;
}

/* The plan stays mapped: its tables are used to find callers. */
static void number_sites(const struct plan *plan, unsigned char *module, unsigned char *copy, const char *path) {
  const struct plan_header *h = plan->header;
  uint32_t base = perdure_module_numbers(h->id, h->sites + h->calls, path);
  for (uint32_t i = 0; i < h->site_fixups; i++) {
    add_to(copy + plan->site_fixups[i], base);
  }
  SYSTEM(SYS_mprotect, copy, h->code_bytes, PROT_READ | PROT_EXEC);
  callers_add(&(struct patched_module){(uint64_t)module, (uint64_t)module + h->text_low, (uint64_t)module + h->text_high, base, h->sites,
                                       h->calls, h->frames, plan->sites, plan->calls, plan->frames});
}

static void write_jump(unsigned char *at, const unsigned char *target) {
  int32_t distance = (int32_t)(target - (at + 5));
  at[0] = 0xe9;
  memcpy(at + 1, &distance, sizeof distance);
}

static void write_patch(const struct plan_patch *p, unsigned char *module, unsigned char *copy) {
  unsigned char *at = module + p->address;
  switch (p->kind) {
  case PATCH_JUMP:
    write_jump(at, copy + p->target);
    break;
  case PATCH_SHORT_JUMP:
    at[0] = 0xeb;
    at[1] = (unsigned char)(p->target - (p->address + 2));
    break;
  case PATCH_CALL: {
    int32_t distance = (int32_t)(copy + p->target - (at + 4));
    memcpy(at, &distance, sizeof distance);
    break;
  }
  default:
    traps_add((uint64_t)at, (uint64_t)(copy + p->target));
    at[0] = 0xcc;
  }
}

static bool apply(const struct plan *plan, unsigned char *module, const char *path) {
  const struct plan_header *h = plan->header;
  uint64_t from = ((uint64_t)module + h->text_low) & ~(PAGE - 1), to = ((uint64_t)module + h->text_high + PAGE - 1) & ~(PAGE - 1);
  if (!text_is_as_planned(plan, module)) {
    perdure_complain(path, "has other code than its plan; it runs unobserved");
    return false;
  }
  unsigned char *copy = load_copy(plan, module);
  if (copy == NULL || system_failed(SYSTEM(SYS_mprotect, from, to - from, PROT_READ | PROT_WRITE))) {
    perdure_complain(path, "its code cannot be changed; it runs unobserved");
    return false;
  }
  number_sites(plan, module, copy, path);
  for (uint32_t i = 0; i < h->patches; i++) {
    write_patch(&plan->patches[i], module, copy);
  }
  SYSTEM(SYS_mprotect, from, to - from, PROT_READ | PROT_EXEC);
  return true;
}

/* The line of the index that begins with the path; gives the file behind it. */
static bool find_plan(const char *path, char *to, size_t room) {
  size_t length = strlen(path);
  const char *line = plan_index, *end = plan_index + index_bytes;
  while (line < end) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL) {
      return false;
    }
    if ((size_t)(stop - line) > length + 1 && memcmp(line, path, length) == 0 && line[length] == '\t') {
      size_t bytes = (size_t)(stop - line) - length - 1;
      if (bytes >= room) {
        return false;
      }
      memcpy(to, line + length + 1, bytes);
      to[bytes] = 0;
      return true;
    }
    line = stop + 1;
  }
  return false;
}

static int patch_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  char buffer[PATH_MAX], file[PATH_MAX];
  struct plan plan;
  const char *path = realpath(info->dlpi_name[0] != 0 ? info->dlpi_name : "/proc/self/exe", buffer);
  if (path != NULL && find_plan(path, file, sizeof file) && open_plan(file, &plan)) {
    if (!apply(&plan, (unsigned char *)info->dlpi_addr, path)) {
      SYSTEM(SYS_munmap, plan.header, plan.bytes, 0);
    }
  }
  return 0;
}

void patching_start(const char *recording) {
  char path[PATH_MAX + 16];
  size_t length = strlen(recording);
  memcpy(path, recording, length);
  memcpy(path + length, ".plans", sizeof ".plans");
  plan_index = map_file(path, &index_bytes);
  if (plan_index == NULL) {
    return;
  }
  if (!gates_open()) {
    perdure_complain("something lies at the address of the gates", "the program runs unobserved");
    return;
  }
  dl_iterate_phdr(patch_module, NULL);
  traps_start();
}
