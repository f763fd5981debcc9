/* System calls that make mapped files persistent. */
#include "file_writes.h"
#include "library_changes.h"
#include "mapping_table.h"
#include "pm.h"
#include "real.h"
#include "system.h"
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

REAL(msync);
EXPORT int msync(void *addr, size_t length, int flags) {
  library_changes_record();
  int result = CALL(msync)(addr, length, flags);
  if (result == 0 && (flags & MS_SYNC) != 0 && watching() && pm_is(addr, length)) {
    emit(STAMP_AFTER, PERDURE_EV_PERSIST, PERDURE_PERSIST_MSYNC, addr, length);
  }
  return result;
}

static int synced(int result, int fd) {
  struct stat status;
  struct mapping m;
  if (result == 0 && watching() && (perdure_process->flags & PERDURE_PROCESS_MAPPED_PM) != 0 &&
      SYSTEM(SYS_fstat, fd, &status, 0) == 0) {
    for (unsigned n = 0; mapping_of_file(status.st_dev, status.st_ino, n, &m); n++) {
      emit(STAMP_AFTER, PERDURE_EV_PERSIST, PERDURE_PERSIST_FSYNC, (const void *)m.addr, m.length);
    }
  }
  if (result == 0 && views_active()) {
    file_synced(fd);
  }
  return result;
}

REAL(fsync);
EXPORT int fsync(int fd) { return synced(CALL(fsync)(fd), fd); }

REAL(fdatasync);
EXPORT int fdatasync(int fd) { return synced(CALL(fdatasync)(fd), fd); }

REAL(syncfs);
EXPORT int syncfs(int fd) {
  int result = CALL(syncfs)(fd);
  struct stat status;
  if (result == 0 && watching() && (perdure_process->flags & PERDURE_PROCESS_MAPPED_PM) != 0 &&
      SYSTEM(SYS_fstat, fd, &status, 0) == 0) {
    struct mapping m;
    for (unsigned n = 0; mapping_in(0, UINT64_MAX, n, &m); n++) {
      if (m.dev == status.st_dev) {
        emit(STAMP_AFTER, PERDURE_EV_PERSIST, PERDURE_PERSIST_FSYNC, (const void *)m.addr, m.length);
      }
    }
  }
  return result;
}
