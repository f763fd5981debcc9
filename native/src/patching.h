/* Load-time patching: plans that the Java side has made are applied to the modules of the process. */
#ifndef PERDURE_PATCHING_H
#define PERDURE_PATCHING_H
#include "runtime.h"
#include <link.h>

/* A change of the text, as the plan has it. */
struct plan_patch {
  uint32_t address, target;
  uint8_t kind, length, before[5], early;
};
_Static_assert(sizeof(struct plan_patch) == 16, "plan patch");

/* A module that is being patched. */
struct patched_text {
  unsigned char *module, *copy;
  const ElfW(Phdr) *segments; /* the loader's, while the module is loaded */
  uint32_t segment_count;
  uint32_t low, high, patches, moved;
  const struct plan_patch *patch;
  const struct moved_instruction {
    uint32_t address, position;
  } *moved_to;
  void *plan;
  size_t plan_bytes;
  bool own_plan; /* nobody else needs it */
};
enum patches_when { PATCHES_LATE = 0, PATCHES_EARLY = 1 };
/* Writes the patches of one kind; false if the text cannot be changed. */
bool patching_write(const struct patched_text *text, enum patches_when when);
/* All patches of some modules were written. */
void patching_written(void);
/* The module at that address was unloaded. */
void patching_forget(uint64_t module);

/* Patches what is loaded, now and later, if there are plans beside the recording. */
void patching_start(const char *recording);
/* Patches a module that was loaded; false if it observes itself. */
bool patching_module(const struct dl_phdr_info *module, const char *path);

#endif
