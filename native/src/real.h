/* The functions behind ours. Those of libc are looked up when the runtime starts; one that is called earlier, and those of
 * libraries that come later, at their first use. */
#ifndef PERDURE_REAL_H
#define PERDURE_REAL_H
#include "runtime.h"

struct real_function {
  const char *name;
  const char *version; /* or null: the default one */
  const char *library; /* or null: libc */
  void *address;
};
void *real_resolve(struct real_function *function);
void real_resolve_libc(void);

static inline void *real_address(struct real_function *function) {
  void *address = __atomic_load_n(&function->address, __ATOMIC_RELAXED);
  return likely(address != NULL) ? address : real_resolve(function);
}

#define REAL_OF(name, version, library)                                                                                                    \
  static struct real_function real_##name __attribute__((section("perdure_real"), used)) = {#name, version, library, NULL}
#define REAL(name) REAL_OF(name, NULL, NULL)
#define REAL_VERSION(name, version) REAL_OF(name, version, NULL)
#define REAL_LIBRARY(name, library) REAL_OF(name, NULL, library)
#define CALL(name) ((__typeof__(&name))real_address(&real_##name))

#endif
