/* A plan (docs/formats/plan.md) is the copy of a module's code, lists of places in it to which the distance to the module or the
 * module's first site number is added, and the jumps that lead from the text into the copy. */
#include "patching.h"
#include "callers.h"
#include "gates.h"
#include "late_patches.h"
#include "loading.h"
#include "near_memory.h"
#include "plans.h"
#include "system.h"
#include "traps.h"
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#define PLAN_MAGIC UINT64_C(0x314e4c5044524550) /* "PERDPLN1", little endian */
#define PLAN_VERSION 26u
#define PAGE UINT64_C(4096)

struct plan_header {
  uint64_t magic;
  uint32_t version;
  uint32_t code_bytes, module_fixups, site_fixups, patches, sites;
  uint32_t text_low, text_high;
  uint32_t coverage_bytes, calls, frames, moved;
  uint8_t id[16];
};
_Static_assert(sizeof(struct plan_header) == 72, "plan header");

enum patch_kind { PATCH_JUMP = 0, PATCH_SHORT_JUMP = 1, PATCH_CALL = 2, PATCH_TRAP = 3 };

struct plan {
  const struct plan_header *header;
  const unsigned char *code;
  const uint32_t *module_fixups, *site_fixups, *sites, *calls;
  const struct moved_instruction *moved;
  const struct frame_row *frames;
  const struct plan_patch *patches;
  size_t bytes;
};

static bool open_plan(const char *path, struct plan *plan) {
  const struct plan_header *h = plans_map_file(path, &plan->bytes);
  if (h == NULL) {
    return false;
  }
  uint64_t wanted = sizeof *h + (uint64_t)h->code_bytes + 4 * ((uint64_t)h->module_fixups + h->site_fixups + h->sites + h->calls) +
                    sizeof(struct moved_instruction) * (uint64_t)h->moved + sizeof(struct frame_row) * (uint64_t)h->frames +
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
  plan->moved = (const struct moved_instruction *)(plan->calls + h->calls);
  plan->frames = (const struct frame_row *)(plan->moved + h->moved);
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

static void number_sites(const struct plan *plan, unsigned char *module, unsigned char *copy, const char *path) {
  const struct plan_header *h = plan->header;
  uint32_t base = perdure_module_numbers(h->id, h->sites + h->calls, path);
  for (uint32_t i = 0; i < h->site_fixups; i++) {
    add_to(copy + plan->site_fixups[i], base);
  }
  SYSTEM(SYS_mprotect, copy, h->code_bytes, PROT_READ | PROT_EXEC);
  callers_add(&(struct patched_module){(uint64_t)module, (uint64_t)module + h->text_low, (uint64_t)module + h->text_high, h->id, copy, base,
                                       h->sites, h->calls, h->frames, plan->calls, plan->frames});
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

/* Gives the module its copy: a new one, or that of before if it was here already. Whether the plan is in use now. */
static bool bring_copy(const struct plan *plan, unsigned char *module, const char *path, unsigned char **copy) {
  *copy = callers_return((uint64_t)module, (uint64_t)module + plan->header->text_high, plan->header->id);
  if (*copy != NULL) {
    return false;
  }
  *copy = load_copy(plan, module);
  if (*copy != NULL) {
    number_sites(plan, module, *copy, path);
  }
  return *copy != NULL;
}

/* Lets the text be written, or run again. Between segments with code there may be others, or nothing at all. */
static bool allow(const struct patched_text *text, bool writing) {
  bool allowed = true;
  for (uint32_t i = 0; i < text->segment_count; i++) {
    const ElfW(Phdr) *s = &text->segments[i];
    uint64_t low = s->p_vaddr > text->low ? s->p_vaddr : text->low;
    uint64_t high = s->p_vaddr + s->p_memsz < text->high ? s->p_vaddr + s->p_memsz : text->high;
    if (s->p_type != PT_LOAD || (s->p_flags & PF_X) == 0 || low >= high) {
      continue;
    }
    uint64_t from = ((uint64_t)text->module + low) & ~(PAGE - 1), to = ((uint64_t)text->module + high + PAGE - 1) & ~(PAGE - 1);
    int running = PROT_READ | PROT_EXEC | ((s->p_flags & PF_W) != 0 ? PROT_WRITE : 0);
    allowed &= !system_failed(SYSTEM(SYS_mprotect, from, to - from, writing ? PROT_READ | PROT_WRITE : running));
  }
  return allowed;
}

bool patching_write(const struct patched_text *text, enum patches_when when) {
  bool allowed = allow(text, true);
  for (uint32_t i = 0; allowed && i < text->patches; i++) {
    if (text->patch[i].early == when) {
      write_patch(&text->patch[i], text->module, text->copy);
    }
  }
  allow(text, false);
  return allowed;
}

void patching_written(void) { traps_start(); }

void patching_forget(uint64_t module) { late_patches_forget(module); }

/* Whether the plan must stay mapped. */
static bool apply(const struct plan *plan, const struct dl_phdr_info *info, const char *path) {
  const struct plan_header *h = plan->header;
  unsigned char *module = (unsigned char *)info->dlpi_addr, *copy;
  if (h->code_bytes == 0) {
    return false;
  }
  if (!text_is_as_planned(plan, module)) {
    plans_unobserved(path, "has other code than its plan; it runs unobserved");
    return false;
  }
  bool used = bring_copy(plan, module, path, &copy);
  if (copy == NULL) {
    plans_unobserved(path, "there is no room for a copy of its code near it; it runs unobserved");
    return false;
  }
  struct patched_text text = {module, copy, info->dlpi_phdr, info->dlpi_phnum, h->text_low, h->text_high, h->patches, h->moved,
                              plan->patches, plan->moved, (void *)h, plan->bytes, !used};
  if (!patching_write(&text, PATCHES_EARLY)) {
    plans_unobserved(path, "its code cannot be changed; it runs unobserved");
    return used;
  }
  if (late_patches_wait()) {
    late_patches_add(&text);
    return true;
  }
  patching_write(&text, PATCHES_LATE);
  return used;
}

/* The plan stays mapped while the module is in use: its tables are used to find callers. */
static void patch_by(const char *file, const struct dl_phdr_info *module, const char *path) {
  struct plan plan;
  if (!gates_open()) {
    plans_unobserved(path, "something lies at the address of the gates; it runs unobserved");
  } else if (!open_plan(file, &plan)) {
    plans_unobserved(path, "its plan cannot be read; it runs unobserved");
  } else if (!apply(&plan, module, path)) {
    SYSTEM(SYS_munmap, plan.header, plan.bytes, 0);
  }
}

bool patching_module(const struct dl_phdr_info *module, const char *path) {
  char file[PATH_MAX];
  enum plan_answer answer = plans_find(path, file, sizeof file);
  if (answer == PLAN_FILE) {
    patch_by(file, module, path);
    traps_start();
  }
  return answer != PLAN_HOOKS;
}

void patching_start(const char *recording) {
  if (plans_open(recording)) {
    loading_follow();
  }
}
