/* Functions that take the path of a file: they read it, and one with a private view leads to the private file. */
#include "file_writes.h"
#include "libc_memory.h"
#include "library_changes.h"
#include "real.h"
#include "stream_writes.h"
#include "views.h"
#include "written_pages.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#undef fopen64
#define VIEW(name, directory, path)                                                                                                        \
  text_read(path);                                                                                                                         \
  char name##_room[PATH_MAX];                                                                                                              \
  const char *name = view_of(directory, path, name##_room)
#define MODE(flags, last)                                                                                                                  \
  mode_t mode = 0;                                                                                                                         \
  if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) {                                                                                          \
    va_list arguments;                                                                                                                     \
    va_start(arguments, last);                                                                                                             \
    mode = va_arg(arguments, mode_t);                                                                                                      \
    va_end(arguments);                                                                                                                     \
  }

/* A private file that is emptied, or new. */
static int opened(int fd, int flags) {
  if (fd >= 0 && (flags & (O_CREAT | O_TRUNC)) != 0 && views_active()) {
    file_opened(fd);
  }
  return fd;
}

REAL(open);
EXPORT int open(const char *path, int flags, ...) {
  MODE(flags, flags);
  VIEW(own, AT_FDCWD, path);
  return opened(CALL(open)(own, flags, mode), flags);
}
EXPORT int open64(const char *path, int flags, ...) {
  MODE(flags, flags);
  VIEW(own, AT_FDCWD, path);
  return opened(CALL(open)(own, flags | O_LARGEFILE, mode), flags);
}

REAL(openat);
EXPORT int openat(int directory, const char *path, int flags, ...) {
  MODE(flags, flags);
  VIEW(own, directory, path);
  return opened(CALL(openat)(directory, own, flags, mode), flags);
}
EXPORT int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags, flags);
  VIEW(own, directory, path);
  return opened(CALL(openat)(directory, own, flags | O_LARGEFILE, mode), flags);
}

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);
EXPORT int __open_2(const char *path, int flags) { return open(path, flags); }
EXPORT int __open64_2(const char *path, int flags) { return open64(path, flags); }
EXPORT int __openat_2(int directory, const char *path, int flags) { return openat(directory, path, flags); }
EXPORT int __openat64_2(int directory, const char *path, int flags) { return openat64(directory, path, flags); }

EXPORT int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
EXPORT int creat64(const char *path, mode_t mode) { return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* What goes out through a stream is written by libc itself, some time. */
static FILE *for_output(FILE *stream, const char *mode) {
  if (stream != NULL && strpbrk(mode, "wa+") != NULL) {
    opened(fileno(stream), O_CREAT);
    written_pages_lose(fileno(stream));
    stream_opened(stream);
  }
  return stream;
}

REAL(fopen);
EXPORT FILE *fopen(const char *restrict path, const char *restrict mode) {
  VIEW(own, AT_FDCWD, path);
  return for_output(CALL(fopen)(own, mode), mode);
}
FILE *fopen64(const char *restrict path, const char *restrict mode);
EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) { return fopen(path, mode); }

REAL(freopen);
EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  VIEW(own, AT_FDCWD, path);
  return for_output(CALL(freopen)(own, mode, stream), mode);
}

REAL(fdopen);
EXPORT FILE *fdopen(int fd, const char *mode) { return for_output(CALL(fdopen)(fd, mode), mode); }

REAL(opendir);
EXPORT DIR *opendir(const char *path) {
  VIEW(own, AT_FDCWD, path);
  return CALL(opendir)(own);
}

static int status_left(int failed, void *status, size_t length) {
  if (failed == 0) {
    left(status, length);
  }
  return failed;
}

REAL(stat);
EXPORT int stat(const char *restrict path, struct stat *restrict status) {
  VIEW(own, AT_FDCWD, path);
  library_changes_touch(status, sizeof *status);
  return status_left(CALL(stat)(own, status), status, sizeof *status);
}
REAL(lstat);
EXPORT int lstat(const char *restrict path, struct stat *restrict status) {
  VIEW(own, AT_FDCWD, path);
  library_changes_touch(status, sizeof *status);
  return status_left(CALL(lstat)(own, status), status, sizeof *status);
}
REAL(fstatat);
EXPORT int fstatat(int directory, const char *restrict path, struct stat *restrict status, int flags) {
  VIEW(own, directory, path);
  library_changes_touch(status, sizeof *status);
  return status_left(CALL(fstatat)(directory, own, status, flags), status, sizeof *status);
}
/* On this machine a file's status is the same in both widths. */
EXPORT int stat64(const char *restrict path, struct stat64 *restrict status) { return stat(path, (struct stat *)status); }
EXPORT int lstat64(const char *restrict path, struct stat64 *restrict status) { return lstat(path, (struct stat *)status); }
EXPORT int fstatat64(int directory, const char *restrict path, struct stat64 *restrict status, int flags) {
  return fstatat(directory, path, (struct stat *)status, flags);
}
REAL(statx);
EXPORT int statx(int directory, const char *restrict path, int flags, unsigned mask, struct statx *restrict status) {
  VIEW(own, directory, path);
  library_changes_touch(status, sizeof *status);
  return status_left(CALL(statx)(directory, own, flags, mask, status), status, sizeof *status);
}
/* Programs that were linked against an older libc. */
int __xstat(int version, const char *path, struct stat *status);
int __xstat64(int version, const char *path, struct stat64 *status);
int __lxstat(int version, const char *path, struct stat *status);
int __lxstat64(int version, const char *path, struct stat64 *status);
EXPORT int __xstat(int version, const char *path, struct stat *status) {
  (void)version;
  return stat(path, status);
}
EXPORT int __xstat64(int version, const char *path, struct stat64 *status) {
  (void)version;
  return stat64(path, status);
}
EXPORT int __lxstat(int version, const char *path, struct stat *status) {
  (void)version;
  return lstat(path, status);
}
EXPORT int __lxstat64(int version, const char *path, struct stat64 *status) {
  (void)version;
  return lstat64(path, status);
}

REAL(access);
EXPORT int access(const char *path, int mode) {
  VIEW(own, AT_FDCWD, path);
  return CALL(access)(own, mode);
}
REAL(faccessat);
EXPORT int faccessat(int directory, const char *path, int mode, int flags) {
  VIEW(own, directory, path);
  return CALL(faccessat)(directory, own, mode, flags);
}

REAL(truncate);
EXPORT int truncate(const char *path, off_t length) {
  VIEW(own, AT_FDCWD, path);
  written_pages_lose_path(own);
  return CALL(truncate)(own, length);
}
EXPORT int truncate64(const char *path, off64_t length) { return truncate(path, length); }

REAL(chmod);
EXPORT int chmod(const char *path, mode_t mode) {
  VIEW(own, AT_FDCWD, path);
  return CALL(chmod)(own, mode);
}

REAL(unlink);
EXPORT int unlink(const char *path) {
  VIEW(own, AT_FDCWD, path);
  return CALL(unlink)(own);
}
REAL(unlinkat);
EXPORT int unlinkat(int directory, const char *path, int flags) {
  VIEW(own, directory, path);
  return CALL(unlinkat)(directory, own, flags);
}
REAL(remove);
EXPORT int remove(const char *path) {
  VIEW(own, AT_FDCWD, path);
  return CALL(remove)(own);
}
REAL(mkdir);
EXPORT int mkdir(const char *path, mode_t mode) {
  VIEW(own, AT_FDCWD, path);
  return CALL(mkdir)(own, mode);
}
REAL(rmdir);
EXPORT int rmdir(const char *path) {
  VIEW(own, AT_FDCWD, path);
  return CALL(rmdir)(own);
}

REAL(rename);
EXPORT int rename(const char *from, const char *to) {
  VIEW(own_from, AT_FDCWD, from);
  VIEW(own_to, AT_FDCWD, to);
  return CALL(rename)(own_from, own_to);
}
REAL(renameat);
EXPORT int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  VIEW(own_from, from_directory, from);
  VIEW(own_to, to_directory, to);
  return CALL(renameat)(from_directory, own_from, to_directory, own_to);
}
REAL(renameat2);
EXPORT int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  VIEW(own_from, from_directory, from);
  VIEW(own_to, to_directory, to);
  return CALL(renameat2)(from_directory, own_from, to_directory, own_to, flags);
}
REAL(link);
EXPORT int link(const char *from, const char *to) {
  VIEW(own_from, AT_FDCWD, from);
  VIEW(own_to, AT_FDCWD, to);
  return CALL(link)(own_from, own_to);
}

/* A private file is known to the program by the path that it asked for. */
REAL(realpath);
EXPORT char *realpath(const char *restrict path, char *restrict resolved) {
  VIEW(own, AT_FDCWD, path);
  if (own == path) {
    return CALL(realpath)(path, resolved);
  }
  char real[PATH_MAX];
  if (CALL(realpath)(own, real) == NULL) {
    return NULL;
  }
  char *answer = resolved != NULL ? resolved : malloc(PATH_MAX);
  if (answer != NULL) {
    snprintf(answer, PATH_MAX, "%s", path);
  }
  return answer;
}
