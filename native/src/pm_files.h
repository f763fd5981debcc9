/* Which files are persistent memory, and where in the window they are mapped. */
#ifndef PERDURE_PM_FILES_H
#define PERDURE_PM_FILES_H
#include "runtime.h"
#include <sys/stat.h>

/* The path behind a descriptor, as the kernel knows it now; empty when there is none. */
void path_of_descriptor(int fd, char *path, size_t room);
/* Whether a path is the other one, or lies below it. */
bool path_equals_or_below(const char *path, const char *ancestor);

/* Whether the recording names this file, or a directory above it. */
bool pm_file_named(int fd, const struct stat *status);

/* An entry of the files table where [offset, offset + length) of the file has its place. The n-th one for n = 0, 1, ...; after
 * the known ones a new one is made. Null when the table or the window is full. */
struct perdure_file *pm_file_area(int fd, const struct stat *status, uint64_t offset, uint64_t length, unsigned n, uint32_t *index);

/* An entry for a file that is mapped elsewhere. */
uint32_t pm_file_elsewhere(int fd, const struct stat *status, uint64_t addr, uint64_t length);

/* The first entry of the file, of which there are several where it has several places; PERDURE_MAX_FILES when there is none. */
uint32_t pm_file_first(uint64_t dev, uint64_t ino);

#endif
