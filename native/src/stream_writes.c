#include "stream_writes.h"
#include "file_writes.h"
#include "real.h"
#include <sys/types.h>

#undef fseeko
#undef fseeko64

#define MOST 64

static struct {
  FILE *stream;
  off_t recorded; /* everything up to here */
} streams[MOST];
static uint32_t used;
static uint32_t lock;

REAL(fflush);
REAL(fclose);

static uint32_t find(const FILE *stream) {
  uint32_t i = 0;
  while (i < MOST && streams[i].stream != stream) {
    i++;
  }
  return i;
}

static bool is_followed(const FILE *stream) { return __atomic_load_n(&used, __ATOMIC_ACQUIRE) != 0 && find(stream) < MOST; }

void stream_opened(FILE *stream) {
  char folder[PATH_MAX];
  if (!views_active() || !view_folder_of(fileno(stream), folder)) {
    return;
  }
  perdure_spin_lock(&lock);
  uint32_t i = find(NULL);
  if (i < MOST) {
    streams[i].recorded = ftello(stream);
    __atomic_store_n(&streams[i].stream, stream, __ATOMIC_RELEASE);
    __atomic_add_fetch(&used, 1, __ATOMIC_RELEASE);
  }
  perdure_spin_unlock(&lock);
}

void stream_read(FILE *stream) {
  if (is_followed(stream)) {
    streams[find(stream)].recorded = ftello(stream);
  }
}

static void record_output(FILE *stream) {
  uint32_t i = find(stream);
  off_t now = ftello(stream);
  if (now > streams[i].recorded) {
    file_written(fileno(stream), streams[i].recorded, now - streams[i].recorded);
  }
  streams[i].recorded = now;
}

static int flush_all(void) {
  int result = CALL(fflush)(NULL);
  for (uint32_t i = 0; i < MOST; i++) {
    if (streams[i].stream != NULL) {
      record_output(streams[i].stream);
    }
  }
  return result;
}

EXPORT int fflush(FILE *stream) {
  if (stream == NULL && __atomic_load_n(&used, __ATOMIC_ACQUIRE) != 0) {
    return flush_all();
  }
  int result = CALL(fflush)(stream);
  if (is_followed(stream)) {
    record_output(stream);
  }
  return result;
}

EXPORT int fclose(FILE *stream) {
  if (is_followed(stream)) {
    fflush(stream);
    perdure_spin_lock(&lock);
    __atomic_store_n(&streams[find(stream)].stream, NULL, __ATOMIC_RELEASE);
    __atomic_sub_fetch(&used, 1, __ATOMIC_RELEASE);
    perdure_spin_unlock(&lock);
  }
  return CALL(fclose)(stream);
}

/* Moves by a call of libc; what was written before stands where the stream was. */
#define MOVING(stream, call)                                                                                                               \
  bool followed = is_followed(stream);                                                                                                     \
  if (followed) {                                                                                                                          \
    fflush(stream);                                                                                                                        \
  }                                                                                                                                        \
  call;                                                                                                                                    \
  if (followed) {                                                                                                                          \
    stream_read(stream);                                                                                                                   \
  }

REAL(fseek);
EXPORT int fseek(FILE *stream, long offset, int whence) {
  MOVING(stream, int result = CALL(fseek)(stream, offset, whence));
  return result;
}

REAL(fseeko);
EXPORT int fseeko(FILE *stream, off_t offset, int whence) {
  MOVING(stream, int result = CALL(fseeko)(stream, offset, whence));
  return result;
}
int fseeko64(FILE *stream, off_t offset, int whence);
EXPORT int fseeko64(FILE *stream, off_t offset, int whence) { return fseeko(stream, offset, whence); }

REAL(rewind);
EXPORT void rewind(FILE *stream) { MOVING(stream, CALL(rewind)(stream)); }

REAL(fsetpos);
EXPORT int fsetpos(FILE *stream, const fpos_t *position) {
  MOVING(stream, int result = CALL(fsetpos)(stream, position));
  return result;
}

/* What is still in buffers goes out after this, unseen. */
__attribute__((destructor)) static void at_exit(void) {
  if (__atomic_load_n(&used, __ATOMIC_ACQUIRE) != 0) {
    flush_all();
  }
}
