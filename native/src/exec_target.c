#include "exec_target.h"
#include "plans.h"
#include "system.h"
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 256
#define MOST_SEGMENTS 64
#define DEEPEST_SCRIPT 4

static const char *of_elf(long fd, const Elf64_Ehdr *head) {
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64) {
    return "is a program of another architecture; it runs unobserved";
  }
  for (unsigned i = 0; i < head->e_phnum && i < MOST_SEGMENTS; i++) {
    Elf64_Phdr segment;
    if (SYSTEM6(SYS_pread64, fd, &segment, sizeof segment, head->e_phoff + i * sizeof segment, 0, 0) != sizeof segment) {
      return NULL;
    }
    if (segment.p_type == PT_INTERP) {
      return NULL;
    }
  }
  return "is linked statically; it runs unobserved, link it dynamically";
}

static const char *of_rights(long fd) {
  struct stat about;
  bool failed = system_failed(SYSTEM(SYS_fstat, fd, &about, 0));
  bool user = (about.st_mode & S_ISUID) != 0 && about.st_uid != (uid_t)SYSTEM(SYS_geteuid, 0, 0, 0);
  bool group = (about.st_mode & S_ISGID) != 0 && about.st_gid != (gid_t)SYSTEM(SYS_getegid, 0, 0, 0);
  return !failed && (user || group) ? "runs with the rights of another user (setuid); it runs unobserved" : NULL;
}

/* The interpreter that the first line of a script names; it is cut off in place. */
static char *interpreter_of(char *head) {
  char *name = head + 2 + strspn(head + 2, " \t");
  name[strcspn(name, " \t\n")] = 0;
  return name;
}

static void check(int folder, const char *path, int depth) {
  union {
    char text[HEAD_BYTES + 1];
    Elf64_Ehdr elf;
  } head;
  long fd = SYSTEM6(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(fd)) {
    return;
  }
  long got = SYSTEM(SYS_read, fd, head.text, HEAD_BYTES);
  head.text[got > 0 ? got : 0] = 0;
  const char *why = NULL;
  if (got >= (long)sizeof head.elf && memcmp(head.text, ELFMAG, SELFMAG) == 0) {
    why = of_elf(fd, &head.elf);
    why = why != NULL ? why : of_rights(fd);
  }
  SYSTEM(SYS_close, fd, 0, 0);
  if (why != NULL) {
    plans_unobserved(path, why);
  } else if (got > 2 && memcmp(head.text, "#!", 2) == 0 && depth < DEEPEST_SCRIPT) {
    check(AT_FDCWD, interpreter_of(head.text), depth + 1);
  }
}

void exec_target_check(int folder, const char *path) {
  if (perdure_header != NULL && path != NULL) {
    check(folder, path, 0);
  }
}

void exec_target_check_name(const char *name) {
  const char *folders = getenv("PATH");
  if (name == NULL || strchr(name, '/') != NULL || folders == NULL) {
    exec_target_check(AT_FDCWD, name);
    return;
  }
  while (*folders != 0) {
    char path[PATH_MAX];
    size_t length = strcspn(folders, ":"), more = strlen(name);
    if (length + more + 2 <= sizeof path) {
      memcpy(path, folders, length);
      path[length] = '/';
      memcpy(path + length + (length > 0), name, more + 1);
      if (SYSTEM(SYS_access, path, X_OK, 0) == 0) {
        exec_target_check(AT_FDCWD, path);
        return;
      }
    }
    folders += length + (folders[length] == ':');
  }
}

void exec_target_check_file(int fd) {
  char link[32] = "/proc/self/fd/", path[PATH_MAX], digits[12];
  size_t n = 0, end = strlen(link);
  do {
    digits[n++] = (char)('0' + fd % 10);
    fd /= 10;
  } while (fd > 0);
  while (n > 0) {
    link[end++] = digits[--n];
  }
  link[end] = 0;
  long length = SYSTEM(SYS_readlink, link, path, sizeof path - 1);
  if (!system_failed(length)) {
    path[length] = 0;
    exec_target_check(AT_FDCWD, path);
  }
}
