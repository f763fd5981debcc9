/* Private views: paths under which every process of the target sees files of its own, so that the user's stay as they are. */
#ifndef PERDURE_VIEWS_H
#define PERDURE_VIEWS_H
#include "runtime.h"
#include <limits.h>

/* Where a path leads: the private file in `room`, or the path itself where no view covers it. */
const char *view_of(int directory, const char *path, char room[PATH_MAX]);

/* The folder that holds the stand-in which is, or holds, the file behind a descriptor. */
bool view_folder_of(int fd, char folder[PATH_MAX]);

/* Whether there are views at all. */
bool views_active(void);

#endif
