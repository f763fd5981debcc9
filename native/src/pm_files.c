#include "pm_files.h"
#include "system.h"
#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* The path behind a descriptor, as the kernel knows it now; empty when there is none. */
void path_of_descriptor(int fd, char *path, size_t room) {
  char link[32] = "/proc/self/fd/";
  size_t end = 14;
  char digits[12];
  size_t n = 0;
  for (unsigned value = (unsigned)fd; value != 0 || n == 0; value /= 10) {
    digits[n++] = (char)('0' + value % 10);
  }
  while (n > 0) {
    link[end++] = digits[--n];
  }
  link[end] = 0;
  long length = SYSTEM(SYS_readlink, link, path, room - 1);
  path[length > 0 ? length : 0] = 0;
}

bool path_equals_or_below(const char *path, const char *ancestor) {
  size_t length = strlen(ancestor);
  while (length > 1 && ancestor[length - 1] == '/') {
    length--;
  }
  return length > 0 && strncmp(path, ancestor, length) == 0 && (path[length] == 0 || path[length] == '/' || length == 1);
}

/* Names in the recording are absolute, but may go through symbolic links, or may have come into being since. */
static bool names(const char *name, const char *path, const struct stat *status) {
  if (path_equals_or_below(path, name)) {
    return true;
  }
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, name, O_PATH | O_CLOEXEC, 0, 0, 0);
  if (system_failed(fd)) {
    return false;
  }
  struct stat named;
  bool yes = false;
  if (SYSTEM(SYS_fstat, fd, &named, 0) == 0) {
    if (S_ISDIR(named.st_mode)) {
      char directory[PATH_MAX];
      path_of_descriptor((int)fd, directory, sizeof directory);
      yes = path_equals_or_below(path, directory);
    } else {
      yes = named.st_dev == status->st_dev && named.st_ino == status->st_ino;
    }
  }
  SYSTEM(SYS_close, fd, 0, 0);
  return yes;
}

bool pm_file_named(int fd, const struct stat *status) {
  char path[PATH_MAX];
  path_of_descriptor(fd, path, sizeof path);
  const char *end = perdure_paths() + PERDURE_PATHS_BYTES;
  for (const char *name = perdure_paths(); name < end && *name != 0; name += strlen(name) + 1) {
    if (names(name, path, status)) {
      return true;
    }
  }
  return false;
}

static uint64_t round_up(uint64_t value) { return (value + PERDURE_WINDOW_ALIGN - 1) & ~(PERDURE_WINDOW_ALIGN - 1); }

static struct perdure_file *new_entry(int fd, const struct stat *status, uint32_t *index) {
  uint32_t files = perdure_counters->files;
  if (files >= PERDURE_MAX_FILES) {
    return NULL;
  }
  struct perdure_file *file = perdure_file_at(files);
  file->dev = status->st_dev;
  file->ino = status->st_ino;
  path_of_descriptor(fd, file->path, sizeof file->path);
  *index = files;
  return file;
}

static void publish_entry(void) { __atomic_add_fetch(&perdure_counters->files, 1, __ATOMIC_RELEASE); }

/* Room for the file as it is or as it is mapped now, in whole gigabytes, and one more to grow into. */
static struct perdure_file *new_area(int fd, const struct stat *status, uint64_t needed, uint32_t *index) {
  uint64_t length = S_ISREG(status->st_mode) && (uint64_t)status->st_size > needed ? (uint64_t)status->st_size : needed;
  length = round_up(length) + PERDURE_WINDOW_ALIGN;
  uint64_t addr = perdure_counters->window_next != 0 ? perdure_counters->window_next : PERDURE_WINDOW_BASE;
  struct perdure_file *file = new_entry(fd, status, index);
  if (file == NULL || length > PERDURE_WINDOW_END - addr) {
    return NULL;
  }
  file->addr = addr;
  file->length = length;
  perdure_counters->window_next = addr + length;
  publish_entry();
  return file;
}

/* A file that has a place since before it existed, known by its path alone. */
static void take_reserved_place(int fd, const struct stat *status) {
  char path[PATH_MAX] = "";
  for (uint32_t i = 0; i < perdure_counters->files; i++) {
    struct perdure_file *file = perdure_file_at(i);
    if (file->ino == 0) {
      if (path[0] == 0) {
        path_of_descriptor(fd, path, sizeof path);
      }
      if (strcmp(file->path, path) == 0) {
        file->dev = status->st_dev;
        file->ino = status->st_ino;
      }
    }
  }
}

struct perdure_file *pm_file_area(int fd, const struct stat *status, uint64_t offset, uint64_t length, unsigned n, uint32_t *index) {
  perdure_lock_tables();
  struct perdure_file *area = NULL;
  take_reserved_place(fd, status);
  for (uint32_t i = 0; i < perdure_counters->files && area == NULL; i++) {
    struct perdure_file *file = perdure_file_at(i);
    bool fits = file->dev == status->st_dev && file->ino == status->st_ino && file->addr >= PERDURE_WINDOW_BASE &&
                file->addr < PERDURE_WINDOW_END && offset + length <= file->length;
    if (fits && n-- == 0) {
      area = file;
      *index = i;
    }
  }
  if (area == NULL) {
    area = new_area(fd, status, offset + length, index);
  }
  perdure_unlock_tables();
  return area;
}

uint32_t pm_file_elsewhere(int fd, const struct stat *status, uint64_t addr, uint64_t length) {
  perdure_lock_tables();
  uint32_t index = PERDURE_MAX_FILES;
  for (uint32_t i = 0; i < perdure_counters->files && index == PERDURE_MAX_FILES; i++) {
    struct perdure_file *file = perdure_file_at(i);
    if (file->dev == status->st_dev && file->ino == status->st_ino && file->addr <= addr && addr + length <= file->addr + file->length) {
      index = i;
    }
  }
  if (index == PERDURE_MAX_FILES) {
    struct perdure_file *file = new_entry(fd, status, &index);
    if (file != NULL) {
      file->addr = addr;
      file->length = length;
      publish_entry();
    }
  }
  perdure_unlock_tables();
  return index;
}

uint32_t pm_file_first(uint64_t dev, uint64_t ino) {
  uint32_t files = __atomic_load_n(&perdure_counters->files, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < files; i++) {
    const struct perdure_file *file = perdure_file_at(i);
    if (file->dev == dev && file->ino == ino) {
      return i;
    }
  }
  return PERDURE_MAX_FILES;
}
