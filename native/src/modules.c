/* Instrumented executables and libraries: each takes as many site numbers as it has sites. A module that another process
 * has brought already shares its numbers. */
#include "runtime.h"
#include "system.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>

static bool same_module(const struct perdure_module *known, const uint8_t id[16], uint32_t sites) {
  for (unsigned i = 0; i < sizeof known->id; i++) {
    if (known->id[i] != id[i]) {
      return false;
    }
  }
  return known->count == sites;
}

static const char *path_of(const struct perdure_module_descriptor *module, char *buffer) {
  Dl_info info;
  struct link_map *map = NULL;
  const char *name = "/proc/self/exe";
  if (dladdr1(module, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL && map->l_name[0] != 0) {
    name = map->l_name;
  }
  const char *path = realpath(name, buffer);
  return path != NULL ? path : name;
}

static uint32_t register_module(const uint8_t id[16], uint32_t sites, const char *path) {
  uint32_t modules = perdure_counters->modules;
  for (uint32_t i = 0; i < modules && i < PERDURE_MAX_MODULES; i++) {
    if (same_module(perdure_module_at(i), id, sites)) {
      return perdure_module_at(i)->base;
    }
  }
  if (modules >= PERDURE_MAX_MODULES) {
    perdure_complain("too many instrumented libraries", "places in some are not known");
    return 0;
  }
  struct perdure_module *entry = perdure_module_at(modules);
  entry->base = perdure_counters->next_site != 0 ? perdure_counters->next_site : 1;
  entry->count = sites;
  entry->pid = perdure_pid;
  for (unsigned i = 0; i < sizeof entry->id; i++) {
    entry->id[i] = id[i];
  }
  size_t i = 0;
  for (; i + 1 < sizeof entry->path && path[i] != 0; i++) {
    entry->path[i] = path[i];
  }
  entry->path[i] = 0;
  perdure_counters->next_site = entry->base + sites;
  __atomic_store_n(&entry->ready, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&perdure_counters->modules, modules + 1, __ATOMIC_RELEASE);
  return entry->base;
}

uint32_t perdure_module_numbers(const uint8_t id[16], uint32_t sites, const char *path) {
  perdure_process_flag(PERDURE_PROCESS_INSTRUMENTED);
  perdure_lock_tables();
  uint32_t base = register_module(id, sites, path);
  perdure_unlock_tables();
  return base;
}

EXPORT void __perdure_module_begin(const struct perdure_module_descriptor *module) {
  if (!perdure_recording || module->version != 1) {
    return;
  }
  int saved = errno;
  char buffer[PATH_MAX];
  *module->base = perdure_module_numbers(module->id, module->sites, path_of(module, buffer));
  errno = saved;
}
