#include "written_pages.h"
#include "system.h"
#include "views.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MOST_FILES 64
#define FIRST_PAGE 1 /* the mark before it says that marks are not enough */

static struct marks {
  uint64_t dev, ino;
  uint8_t *bytes;
  uint64_t length;
} known[MOST_FILES];
static uint32_t files;
static uint32_t lock;

static void append_number(char *text, uint64_t number) {
  char digits[24];
  size_t n = sizeof digits;
  digits[--n] = 0;
  do {
    digits[--n] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  strcat(text, digits + n);
}

static uint8_t *open_marks(const char *folder, uint64_t ino, uint64_t *length) {
  char name[PATH_MAX];
  if (strlen(folder) + 40 >= sizeof name) {
    return NULL;
  }
  strcpy(name, folder);
  strcat(name, "/written/");
  append_number(name, ino);
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0, 0, 0);
  if (system_failed(fd)) {
    return NULL;
  }
  struct stat status;
  long bytes = -1;
  if (SYSTEM(SYS_fstat, fd, &status, 0) == 0) {
    *length = (uint64_t)status.st_size;
    bytes = SYSTEM6(SYS_mmap, 0, *length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  SYSTEM(SYS_close, fd, 0, 0);
  return system_failed(bytes) ? NULL : (uint8_t *)bytes;
}

static struct marks *find(uint64_t dev, uint64_t ino) {
  for (uint32_t i = 0; i < files; i++) {
    if (known[i].dev == dev && known[i].ino == ino) {
      return &known[i];
    }
  }
  return NULL;
}

/* A file of the user's that is seen through a private view has its marks in the folder of the private one. */
uint8_t *written_pages_of(int fd) {
  struct stat status;
  char folder[PATH_MAX];
  if (!views_active() || SYSTEM(SYS_fstat, fd, &status, 0) != 0 || !S_ISREG(status.st_mode)) {
    return NULL;
  }
  perdure_spin_lock(&lock);
  struct marks *marks = find(status.st_dev, status.st_ino);
  if (marks == NULL && files < MOST_FILES && view_folder_of(fd, folder)) {
    struct marks found = {status.st_dev, status.st_ino, NULL, 0};
    found.bytes = open_marks(folder, status.st_ino, &found.length);
    if (found.bytes != NULL) {
      known[files] = found;
      marks = &known[files++];
    }
  }
  perdure_spin_unlock(&lock);
  return marks != NULL ? marks->bytes : NULL;
}

void written_pages_in_child(void) { lock = 0; }

bool written_pages_watched(void) { return files != 0; }

static uint64_t length_of(const uint8_t *bytes) {
  for (uint32_t i = 0; i < files; i++) {
    if (known[i].bytes == bytes) {
      return known[i].length;
    }
  }
  return 0;
}

static uint64_t page_of(const struct mapping *mapping, uint64_t addr) {
  return FIRST_PAGE + (mapping->offset + (addr - mapping->addr)) / PERDURE_PAGE;
}

void written_pages_mark(const struct mapping *mapping) {
  uint64_t end = page_of(mapping, mapping->addr + mapping->length), length = length_of(mapping->written);
  if (end > length) {
    mapping->written[0] = 1;
    end = length;
  }
  for (uint64_t page = page_of(mapping, mapping->addr); page < end; page++) {
    mapping->written[page] = 1;
  }
}

struct mapping written_pages_next(const struct mapping *mapping, uint64_t from) {
  uint64_t first = page_of(mapping, from), last = page_of(mapping, mapping->addr + mapping->length), length = length_of(mapping->written);
  last = last < length ? last : length;
  while (first < last && mapping->written[first] == 0) {
    bool far = first % 8 == 0 && first + 8 <= last && *(const uint64_t *)(mapping->written + first) == 0;
    first += far ? 8 : 1;
  }
  uint64_t end = first;
  while (end < last && mapping->written[end] != 0) {
    end++;
  }
  struct mapping stretch = *mapping;
  stretch.addr = mapping->addr + (first - page_of(mapping, mapping->addr)) * PERDURE_PAGE;
  stretch.offset = mapping->offset + (stretch.addr - mapping->addr);
  stretch.length = (end - first) * PERDURE_PAGE;
  return stretch;
}

void written_pages_lose(int fd) {
  uint8_t *marks = written_pages_of(fd);
  if (marks != NULL) {
    marks[0] = 1;
  }
}

void written_pages_lose_path(const char *path) {
  if (views_active()) {
    long fd = SYSTEM6(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0, 0, 0);
    if (!system_failed(fd)) {
      written_pages_lose((int)fd);
      SYSTEM(SYS_close, fd, 0, 0);
    }
  }
}
