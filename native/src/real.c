#include "real.h"
#include "system.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

extern struct real_function __start_perdure_real[] __attribute__((visibility("hidden")));
extern struct real_function __stop_perdure_real[] __attribute__((visibility("hidden")));

static void *look_up(const struct real_function *function) {
  void *address = function->version != NULL ? dlvsym(RTLD_NEXT, function->name, function->version) : NULL;
  return address != NULL ? address : dlsym(RTLD_NEXT, function->name);
}

COLD void *real_resolve(struct real_function *function) {
  int saved = errno;
  void *address = look_up(function);
  if (address == NULL && function->library != NULL) {
    void *library = dlopen(function->library, RTLD_LAZY);
    address = library != NULL ? dlsym(library, function->name) : NULL;
  }
  if (address == NULL) {
    perdure_complain(function->name, "the program calls it, but no library has it");
    abort();
  }
  __atomic_store_n(&function->address, address, __ATOMIC_RELAXED);
  errno = saved;
  return address;
}

void real_resolve_libc(void) {
  for (struct real_function *f = __start_perdure_real; f < __stop_perdure_real; f++) {
    if (f->library == NULL && f->address == NULL) {
      f->address = look_up(f);
    }
  }
}
