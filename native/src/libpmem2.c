/* libpmem2 hands out functions: the program gets ours instead. The library has only a few of each kind; every one gets a
 * wrapper of its own, because a wrapper cannot know the mapping it was asked for. */
#include "library.h"
#include "real.h"

struct pmem2_map;
struct pmem2_config;
struct pmem2_source;
typedef void (*persist_fn)(const void *addr, size_t length);
typedef void (*drain_fn)(void);
typedef void *(*copy_fn)(void *to, const void *from, size_t length, unsigned flags);
typedef void *(*fill_fn)(void *to, int byte, size_t length, unsigned flags);

int pmem2_map_new(struct pmem2_map **map, const struct pmem2_config *config, struct pmem2_source *source);
int pmem2_map_delete(struct pmem2_map **map);
int pmem2_deep_flush(struct pmem2_map *map, void *addr, size_t length);
persist_fn pmem2_get_persist_fn(struct pmem2_map *map);
persist_fn pmem2_get_flush_fn(struct pmem2_map *map);
drain_fn pmem2_get_drain_fn(struct pmem2_map *map);
copy_fn pmem2_get_memcpy_fn(struct pmem2_map *map);
copy_fn pmem2_get_memmove_fn(struct pmem2_map *map);
fill_fn pmem2_get_memset_fn(struct pmem2_map *map);

int pmem2_source_get_fd(const struct pmem2_source *source, int *fd);
REAL_LIBRARY(pmem2_source_get_fd, LIBPMEM2);
REAL_LIBRARY(pmem2_map_new, LIBPMEM2);
EXPORT int pmem2_map_new(struct pmem2_map **map, const struct pmem2_config *config, struct pmem2_source *source) {
  INSIDE_LIBRARY;
  int fd = -1;
  if (perdure_recording && CALL(pmem2_source_get_fd)(source, &fd) == 0) {
    perdure_self.reserving = fd + 1;
  }
  int result = CALL(pmem2_map_new)(map, config, source);
  perdure_self.reserving = 0;
  return result;
}

REAL_LIBRARY(pmem2_map_delete, LIBPMEM2);
EXPORT int pmem2_map_delete(struct pmem2_map **map) {
  INSIDE_LIBRARY;
  return CALL(pmem2_map_delete)(map);
}

REAL_LIBRARY(pmem2_deep_flush, LIBPMEM2);
EXPORT int pmem2_deep_flush(struct pmem2_map *map, void *addr, size_t length) {
  if (watching()) {
    emit_flush(addr, length);
  }
  QUIETLY;
  return CALL(pmem2_deep_flush)(map, addr, length);
}

static void persist_with(persist_fn real, const void *addr, size_t length) {
  if (watching()) {
    emit_persist(STAMP_BEFORE, PERDURE_PERSIST_LIBRARY, addr, length);
  }
  QUIETLY;
  real(addr, length);
}

static void flush_with(persist_fn real, const void *addr, size_t length) {
  if (watching()) {
    emit_flush(addr, length);
  }
  QUIETLY;
  real(addr, length);
}

static void drain_with(drain_fn real) {
  if (watching()) {
    emit_drain();
  }
  QUIETLY;
  real();
}

static void *copy_with(copy_fn real, void *to, const void *from, size_t length, unsigned flags) {
  bool watched = watching();
  if (watched) {
    copy_begins(to, from, length, copy_strength(flags));
  }
  {
    QUIETLY;
    real(to, from, length, flags);
  }
  if (watched) {
    copy_ends(to, from, length, copy_strength(flags));
  }
  return to;
}

static void *fill_with(fill_fn real, void *to, int byte, size_t length, unsigned flags) {
  bool watched = watching();
  if (watched) {
    fill_begins(to, byte, length, copy_strength(flags));
  }
  {
    QUIETLY;
    real(to, byte, length, flags);
  }
  if (watched) {
    copy_ends(to, NULL, length, copy_strength(flags));
  }
  return to;
}

#define WRAPPERS 4

/* The place of a function in the list of those that have wrappers; WRAPPERS when there is none left. */
static unsigned place_of(void **reals, void *real) {
  for (unsigned i = 0; i < WRAPPERS; i++) {
    void *expected = NULL;
    if (__atomic_compare_exchange_n(&reals[i], &expected, real, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) || expected == real) {
      return i;
    }
  }
  return WRAPPERS;
}

#define PERSIST_WRAPPERS(kind, how)                                                                                                        \
  static void *kind##_reals[WRAPPERS];                                                                                                     \
  static void kind##_0(const void *addr, size_t length) { how(kind##_reals[0], addr, length); }                                            \
  static void kind##_1(const void *addr, size_t length) { how(kind##_reals[1], addr, length); }                                            \
  static void kind##_2(const void *addr, size_t length) { how(kind##_reals[2], addr, length); }                                            \
  static void kind##_3(const void *addr, size_t length) { how(kind##_reals[3], addr, length); }                                            \
  static const persist_fn kind##_wrappers[WRAPPERS] = {kind##_0, kind##_1, kind##_2, kind##_3};                                            \
  static persist_fn kind##_wrapper(persist_fn real) {                                                                                      \
    unsigned place = place_of(kind##_reals, (void *)real);                                                                                 \
    return place < WRAPPERS ? kind##_wrappers[place] : real;                                                                               \
  }

#define COPY_WRAPPERS(kind)                                                                                                                \
  static void *kind##_reals[WRAPPERS];                                                                                                     \
  static void *kind##_0(void *t, const void *f, size_t n, unsigned x) { return copy_with(kind##_reals[0], t, f, n, x); }                   \
  static void *kind##_1(void *t, const void *f, size_t n, unsigned x) { return copy_with(kind##_reals[1], t, f, n, x); }                   \
  static void *kind##_2(void *t, const void *f, size_t n, unsigned x) { return copy_with(kind##_reals[2], t, f, n, x); }                   \
  static void *kind##_3(void *t, const void *f, size_t n, unsigned x) { return copy_with(kind##_reals[3], t, f, n, x); }                   \
  static const copy_fn kind##_wrappers[WRAPPERS] = {kind##_0, kind##_1, kind##_2, kind##_3};                                               \
  static copy_fn kind##_wrapper(copy_fn real) {                                                                                            \
    unsigned place = place_of(kind##_reals, (void *)real);                                                                                 \
    return place < WRAPPERS ? kind##_wrappers[place] : real;                                                                               \
  }

PERSIST_WRAPPERS(persist, persist_with)
PERSIST_WRAPPERS(flush, flush_with)
COPY_WRAPPERS(copy)
COPY_WRAPPERS(move)

static void *drain_reals[WRAPPERS];
static void drain_0(void) { drain_with((drain_fn)drain_reals[0]); }
static void drain_1(void) { drain_with((drain_fn)drain_reals[1]); }
static void drain_2(void) { drain_with((drain_fn)drain_reals[2]); }
static void drain_3(void) { drain_with((drain_fn)drain_reals[3]); }
static const drain_fn drain_wrappers[WRAPPERS] = {drain_0, drain_1, drain_2, drain_3};

static void *fill_reals[WRAPPERS];
static void *fill_0(void *to, int byte, size_t n, unsigned flags) { return fill_with((fill_fn)fill_reals[0], to, byte, n, flags); }
static void *fill_1(void *to, int byte, size_t n, unsigned flags) { return fill_with((fill_fn)fill_reals[1], to, byte, n, flags); }
static void *fill_2(void *to, int byte, size_t n, unsigned flags) { return fill_with((fill_fn)fill_reals[2], to, byte, n, flags); }
static void *fill_3(void *to, int byte, size_t n, unsigned flags) { return fill_with((fill_fn)fill_reals[3], to, byte, n, flags); }
static const fill_fn fill_wrappers[WRAPPERS] = {fill_0, fill_1, fill_2, fill_3};

REAL_LIBRARY(pmem2_get_persist_fn, LIBPMEM2);
EXPORT persist_fn pmem2_get_persist_fn(struct pmem2_map *map) {
  persist_fn real = CALL(pmem2_get_persist_fn)(map);
  return watching() ? persist_wrapper(real) : real;
}

REAL_LIBRARY(pmem2_get_flush_fn, LIBPMEM2);
EXPORT persist_fn pmem2_get_flush_fn(struct pmem2_map *map) {
  persist_fn real = CALL(pmem2_get_flush_fn)(map);
  return watching() ? flush_wrapper(real) : real;
}

REAL_LIBRARY(pmem2_get_drain_fn, LIBPMEM2);
EXPORT drain_fn pmem2_get_drain_fn(struct pmem2_map *map) {
  drain_fn real = CALL(pmem2_get_drain_fn)(map);
  unsigned place = watching() ? place_of(drain_reals, (void *)real) : WRAPPERS;
  return place < WRAPPERS ? drain_wrappers[place] : real;
}

REAL_LIBRARY(pmem2_get_memcpy_fn, LIBPMEM2);
EXPORT copy_fn pmem2_get_memcpy_fn(struct pmem2_map *map) {
  copy_fn real = CALL(pmem2_get_memcpy_fn)(map);
  return watching() ? copy_wrapper(real) : real;
}

REAL_LIBRARY(pmem2_get_memmove_fn, LIBPMEM2);
EXPORT copy_fn pmem2_get_memmove_fn(struct pmem2_map *map) {
  copy_fn real = CALL(pmem2_get_memmove_fn)(map);
  return watching() ? move_wrapper(real) : real;
}

REAL_LIBRARY(pmem2_get_memset_fn, LIBPMEM2);
EXPORT fill_fn pmem2_get_memset_fn(struct pmem2_map *map) {
  fill_fn real = CALL(pmem2_get_memset_fn)(map);
  unsigned place = watching() ? place_of(fill_reals, (void *)real) : WRAPPERS;
  return place < WRAPPERS ? fill_wrappers[place] : real;
}
