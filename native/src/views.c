#include "views.h"
#include "pm_files.h"
#include "system.h"
#include <fcntl.h>
#include <string.h>

/* The list of PM names in the recording ends with an empty one; pairs of a path and its private stand-in follow. */
static const char *first_view(void) {
  const char *at = perdure_paths();
  const char *end = at + PERDURE_PATHS_BYTES;
  while (at < end && *at != 0) {
    at += strlen(at) + 1;
  }
  return at + 1 < end ? at + 1 : "";
}

bool views_active(void) { return perdure_recording && *first_view() != 0; }

/* Takes "//", "." and ".." out of an absolute path, by its words alone. */
static void normalise(char *path) {
  char *to = path;
  for (const char *from = path; *from != 0;) {
    const char *end = strchr(from + 1, '/');
    size_t length = end != NULL ? (size_t)(end - from) : strlen(from);
    if (length == 3 && from[1] == '.' && from[2] == '.') {
      while (to > path && *--to != '/') {
      }
    } else if (length > 1 && !(length == 2 && from[1] == '.')) {
      memmove(to, from, length);
      to += length;
    }
    from += length;
  }
  *to = 0;
}

static bool join(char *out, const char *directory, const char *path) {
  size_t length = strlen(directory);
  if (length + 1 + strlen(path) + 1 > PATH_MAX) {
    return false;
  }
  memmove(out, directory, length);
  out[length] = '/';
  strcpy(out + length + 1, path);
  return true;
}

static bool absolute(int directory, const char *path, char *out) {
  if (path[0] == '/') {
    return strlen(path) < PATH_MAX && strcpy(out, path) != NULL;
  }
  char base[PATH_MAX];
  if (directory == AT_FDCWD) {
    if (system_failed(SYSTEM(SYS_getcwd, base, sizeof base, 0))) {
      return false;
    }
  } else {
    path_of_descriptor(directory, base, sizeof base);
  }
  return base[0] == '/' && join(out, base, path);
}

static const char *translate(const char *path, char *room) {
  const char *end = perdure_paths() + PERDURE_PATHS_BYTES;
  for (const char *name = first_view(); name < end && *name != 0;) {
    const char *own = name + strlen(name) + 1;
    if (path_equals_or_below(path, name) && strlen(own) + strlen(path + strlen(name)) < PATH_MAX) {
      strcpy(room, own);
      strcat(room, path + strlen(name));
      return room;
    }
    name = own + strlen(own) + 1;
  }
  return NULL;
}

bool view_folder_of(int fd, char folder[PATH_MAX]) {
  char path[PATH_MAX];
  path_of_descriptor(fd, path, sizeof path);
  const char *end = perdure_paths() + PERDURE_PATHS_BYTES;
  for (const char *name = first_view(); name < end && *name != 0;) {
    const char *own = name + strlen(name) + 1;
    const char *last = strrchr(own, '/');
    if (last != NULL && path_equals_or_below(path, own)) {
      memcpy(folder, own, (size_t)(last - own));
      folder[last - own] = 0;
      return true;
    }
    name = own + strlen(own) + 1;
  }
  return false;
}

/* The path that the kernel ends up with, symbolic links followed; of a file that is not there, that of its folder. */
static bool followed(char *path) {
  char last[PATH_MAX] = "";
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0, 0, 0);
  char *slash = strrchr(path, '/');
  if (system_failed(fd) && slash != NULL && slash != path) {
    strcpy(last, slash + 1);
    *slash = 0;
    fd = SYSTEM6(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0, 0, 0);
  }
  if (system_failed(fd)) {
    return false;
  }
  char real[PATH_MAX];
  path_of_descriptor((int)fd, real, sizeof real);
  SYSTEM(SYS_close, fd, 0, 0);
  if (last[0] != 0) {
    return join(path, real, last);
  }
  strcpy(path, real);
  return true;
}

const char *view_of(int directory, const char *path, char room[PATH_MAX]) {
  char whole[PATH_MAX];
  if (!views_active() || path == NULL || path[0] == 0 || !absolute(directory, path, whole)) {
    return path;
  }
  normalise(whole);
  const char *own = translate(whole, room);
  if (own == NULL && followed(whole)) {
    own = translate(whole, room);
  }
  return own != NULL ? own : path;
}
