/* Programs that replace themselves or start others: the recording goes with them, whatever environment they are given. */
#include "exec_target.h"
#include "pm.h"
#include "real.h"
#include "system.h"
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRELOAD "LD_PRELOAD="
#define RECORDING PERDURE_ENV_RECORDING "="

static char recording_entry[sizeof RECORDING + PATH_MAX];
static char library[PATH_MAX];

static char *append(char *to, const char *text) {
  while (*text != 0) {
    *to++ = *text++;
  }
  *to = 0;
  return to;
}

void perdure_remember_environment(const char *recording) {
  Dl_info info;
  append(append(recording_entry, RECORDING), recording);
  if (dladdr(&perdure_recording, &info) != 0 && info.dli_fname != NULL && realpath(info.dli_fname, library) == NULL) {
    library[0] = 0;
  }
}

static bool starts_with(const char *entry, const char *prefix) { return strncmp(entry, prefix, strlen(prefix)) == 0; }

static size_t count(char *const *list) {
  size_t n = 0;
  while (list != NULL && list[n] != NULL) {
    n++;
  }
  return n;
}

struct patch {
  bool needed;
  size_t entries; /* room for the new list */
  size_t bytes;   /* room for the new preload entry */
};

static const char *entry_of(char *const *environment, const char *prefix) {
  for (; environment != NULL && *environment != NULL; environment++) {
    if (starts_with(*environment, prefix)) {
      return *environment;
    }
  }
  return NULL;
}

/* After vfork and in signal handlers nothing may be allocated: the caller gives room on its stack. */
static struct patch plan(char *const *environment) {
  struct patch patch = {false, 0, 0};
  if (perdure_header == NULL || library[0] == 0) {
    return patch;
  }
  const char *preload = entry_of(environment, PRELOAD);
  const char *recording = entry_of(environment, RECORDING);
  patch.needed = preload == NULL || strstr(preload, library) == NULL || recording == NULL || strcmp(recording, recording_entry) != 0;
  patch.entries = count(environment) + 3;
  patch.bytes = sizeof PRELOAD + strlen(library) + 1 + (preload != NULL ? strlen(preload) : 0) + 1;
  return patch;
}

static char *const *apply(char *const *environment, char **list, char *text) {
  const char *preload = entry_of(environment, PRELOAD);
  size_t n = 0;
  list[n++] = recording_entry;
  list[n++] = text;
  text = append(append(text, PRELOAD), library);
  if (preload != NULL && strstr(preload, library) == NULL) {
    append(append(text, ":"), preload + strlen(PRELOAD));
  } else if (preload != NULL) {
    append(append(list[1], PRELOAD), preload + strlen(PRELOAD));
  }
  for (; environment != NULL && *environment != NULL; environment++) {
    if (!starts_with(*environment, PRELOAD) && !starts_with(*environment, RECORDING)) {
      list[n++] = *environment;
    }
  }
  list[n] = NULL;
  return list;
}

/* Declares `patched`: the environment with what must go along. */
#define PATCHED(environment)                                                                                                               \
  struct patch patch = plan(environment);                                                                                                  \
  char *const *patched = environment;                                                                                                      \
  if (patch.needed) {                                                                                                                      \
    char **list = alloca(patch.entries * sizeof(char *));                                                                                  \
    patched = apply(environment, list, alloca(patch.bytes));                                                                               \
  }

/* Whether this is the process itself and not a child of vfork in its memory. */
static bool leaving(void) {
  if (!perdure_recording || !perdure_in_own_process()) {
    return false;
  }
  emit(STAMP_BEFORE, PERDURE_EV_PROCESS_EXEC, 0, NULL, 0);
  perdure_process_flag(PERDURE_PROCESS_EXECED);
  return true;
}

/* Only a failed exec returns. */
static int stayed(int result, bool left) {
  if (left) {
    perdure_process_unflag(PERDURE_PROCESS_EXECED);
  }
  return result;
}

REAL(execve);
EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
  PATCHED(environment);
  exec_target_check(AT_FDCWD, path);
  bool left = leaving();
  return stayed(CALL(execve)(path, arguments, patched), left);
}

EXPORT int execv(const char *path, char *const arguments[]) {
  PATCHED(environ);
  exec_target_check(AT_FDCWD, path);
  bool left = leaving();
  return stayed(CALL(execve)(path, arguments, patched), left);
}

REAL(execvpe);
EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  PATCHED(environment);
  exec_target_check_name(file);
  bool left = leaving();
  return stayed(CALL(execvpe)(file, arguments, patched), left);
}

EXPORT int execvp(const char *file, char *const arguments[]) {
  PATCHED(environ);
  exec_target_check_name(file);
  bool left = leaving();
  return stayed(CALL(execvpe)(file, arguments, patched), left);
}

REAL(fexecve);
EXPORT int fexecve(int fd, char *const arguments[], char *const environment[]) {
  PATCHED(environment);
  exec_target_check_file(fd);
  bool left = leaving();
  return stayed(CALL(fexecve)(fd, arguments, patched), left);
}

REAL(execveat);
EXPORT int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
  PATCHED(environment);
  exec_target_check(fd, path);
  bool left = leaving();
  return stayed(CALL(execveat)(fd, path, arguments, patched, flags), left);
}

/* Declares `arguments`: a list made of the variable ones, up to the null that ends them. */
#define COLLECT(first, rest)                                                                                                               \
  va_list rest, counting;                                                                                                                  \
  va_start(rest, first);                                                                                                                   \
  va_copy(counting, rest);                                                                                                                 \
  size_t n = 1;                                                                                                                            \
  while (va_arg(counting, char *) != NULL) {                                                                                               \
    n++;                                                                                                                                   \
  }                                                                                                                                        \
  va_end(counting);                                                                                                                        \
  char **arguments = alloca((n + 1) * sizeof(char *));                                                                                     \
  arguments[0] = (char *)first;                                                                                                            \
  for (size_t i = 1; i <= n; i++) {                                                                                                        \
    arguments[i] = va_arg(rest, char *);                                                                                                   \
  }

EXPORT int execl(const char *path, const char *first, ...) {
  COLLECT(first, rest);
  va_end(rest);
  return execv(path, arguments);
}

EXPORT int execlp(const char *file, const char *first, ...) {
  COLLECT(first, rest);
  va_end(rest);
  return execvp(file, arguments);
}

EXPORT int execle(const char *path, const char *first, ...) {
  COLLECT(first, rest);
  char *const *environment = va_arg(rest, char *const *);
  va_end(rest);
  return execve(path, arguments, environment);
}

REAL_VERSION(posix_spawn, "GLIBC_2.15");
EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                       char *const arguments[], char *const environment[]) {
  PATCHED(environment);
  exec_target_check(AT_FDCWD, path);
  return CALL(posix_spawn)(pid, path, actions, attributes, arguments, patched);
}

REAL_VERSION(posix_spawnp, "GLIBC_2.15");
EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                        char *const arguments[], char *const environment[]) {
  PATCHED(environment);
  exec_target_check_name(file);
  return CALL(posix_spawnp)(pid, file, actions, attributes, arguments, patched);
}
