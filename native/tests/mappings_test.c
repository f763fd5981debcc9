#include "harness.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE ((size_t)1 << 20)

static bool in_window(const void *addr) { return (uint64_t)addr >= PERDURE_WINDOW_BASE && (uint64_t)addr < PERDURE_WINDOW_END; }

static int open_file(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  CHECK(fd >= 0 && ftruncate(fd, (off_t)SIZE) == 0);
  return fd;
}

static void *map_fd(int fd, void *at, int flags, off_t offset, size_t length) {
  void *got = mmap(at, length, PROT_READ | PROT_WRITE, flags, fd, offset);
  CHECK(got != MAP_FAILED);
  return got;
}

static void mapTwice(void) {
  int fd = open_file(pm_file("twice"));
  char *one = map_fd(fd, NULL, MAP_SHARED, 0, SIZE), *other = map_fd(fd, NULL, MAP_SHARED, 0, SIZE);
  CHECK(in_window(one) && in_window(other) && one != other);
  CHECK_EQUAL(0, (uint64_t)one % PERDURE_WINDOW_ALIGN);
  one[5] = 'x';
  CHECK_EQUAL('x', other[5]);
  munmap(one, SIZE);
  char *part = map_fd(fd, NULL, MAP_SHARED, 8192, 4096);
  CHECK(part == one + 8192);
  int second = open_file(pm_file("second"));
  CHECK(in_window(map_fd(second, NULL, MAP_SHARED, 0, SIZE)));
}

static void shouldMapPmFilesIntoTheWindow(void) {
  struct run run;
  perform(&run, "mapTwice", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(4, count_of(&run, PERDURE_EV_MAP));
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_UNMAP));
  const struct event *map = event_of(&run, PERDURE_EV_MAP, 2);
  uint64_t payload[4];
  memcpy(payload, map->payload, sizeof payload);
  CHECK_EQUAL(0, payload[0]);
  CHECK_EQUAL(8192, payload[1]);
  CHECK_EQUAL(PROT_READ | PROT_WRITE, payload[2]);
  CHECK_EQUAL(MAP_SHARED, payload[3]);
  CHECK(strstr(run.recording.files[0].path, "/twice") != NULL);
  CHECK(run.recording.processes[0].flags & PERDURE_PROCESS_MAPPED_PM);
  done(&run);
}

static void mapInTwoProcesses(void) {
  int fd = open_file(pm_file("shared"));
  char *here = map_fd(fd, NULL, MAP_SHARED, 0, SIZE);
  munmap(here, SIZE);
  if (fork() == 0) {
    map_fd(open_file(pm_file("childs")), NULL, MAP_SHARED, 0, SIZE);
    CHECK(map_fd(fd, NULL, MAP_SHARED, 0, SIZE) == here);
    _exit(0);
  }
  int status;
  wait(&status);
  CHECK_EQUAL(0, status);
}

static void shouldMapAFileToTheSamePlaceInEveryProcess(void) {
  struct run run;
  perform(&run, "mapInTwoProcesses", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(event_of(&run, PERDURE_EV_MAP, 0)->addr, event_of(&run, PERDURE_EV_MAP, 2)->addr);
  done(&run);
}

static void insistOnAddress(void) {
  int fd = open_file(pm_file("fixed"));
  char *reserved = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *at = map_fd(fd, reserved, MAP_SHARED | MAP_FIXED, 0, 8192);
  CHECK(at == reserved);
  CHECK_EQUAL(2, __perdure_pm_map[(uint64_t)at >> 32]);
  store8((uint64_t *)at, 1, 1);
  store8((uint64_t *)(at + 8184), 1, 1);
  static uint64_t ordinary;
  __perdure_store(at + 8192, 1, 8, 2);
  __perdure_store(&ordinary, 1, 8, 2);
  munmap(at, 4096);
  __perdure_store(at, 1, 8, 2);
  store8((uint64_t *)(at + 4096), 1, 1);
  char *hint = (char *)0x123400000000;
  CHECK(map_fd(fd, hint, MAP_SHARED, 0, 4096) == hint);
}

static void shouldKeepAddressesThatTheProgramInsistsOn(void) {
  struct run run;
  perform(&run, "insistOnAddress", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(3, count_at(&run, PERDURE_EV_STORE, 1));
  CHECK_EQUAL(0, count_at(&run, PERDURE_EV_STORE, 2));
  done(&run);
}

static void mapWhatIsNoPm(void) {
  int pm = open_file(pm_file("private"));
  CHECK(!in_window(map_fd(pm, NULL, MAP_PRIVATE, 0, SIZE)));
  char path[128];
  snprintf(path, sizeof path, "%s-beside", pm_directory());
  int beside = open_file(path);
  unlink(path);
  CHECK(!in_window(map_fd(beside, NULL, MAP_SHARED, 0, SIZE)));
  CHECK(!in_window(mmap(NULL, SIZE, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0)));
  int reading = open(pm_file("private"), O_RDONLY);
  errno = 0;
  CHECK(mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, reading, 0) == MAP_FAILED && errno == EACCES);
  CHECK(in_window(mmap(NULL, SIZE, PROT_READ, MAP_SHARED, reading, 0)));
}

static void shouldLeaveOtherMappingsAndErrorsAlone(void) {
  struct run run;
  perform(&run, "mapWhatIsNoPm", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_MAP));
  CHECK(run.recording.processes[0].flags & PERDURE_PROCESS_MAP_FAILED);
  done(&run);
}

static void throughLink(void) {
  char link[128];
  snprintf(link, sizeof link, "%s-link", pm_directory());
  unlink(link);
  CHECK(symlink(pm_directory(), link) == 0);
  strcat(link, "/linked");
  CHECK(in_window(map_fd(open_file(link), NULL, MAP_SHARED, 0, SIZE)));
  *strrchr(link, '/') = 0;
  unlink(link);
}

static void nameByLink(struct recording *r) {
  char target[128];
  snprintf(target, sizeof target, "%s-named", pm_directory());
  unlink(target);
  CHECK(symlink(pm_directory(), target) == 0);
  memset(r->paths, 0, PERDURE_PATHS_BYTES);
  strcpy(r->paths, "/nowhere/at/all");
  strcpy(r->paths + strlen(r->paths) + 1, target);
}

static void shouldSeeThroughSymbolicLinks(void) {
  struct run run;
  perform(&run, "throughLink", (struct options){0});
  EXITED_WELL(run);
  done(&run);
  perform(&run, "throughLink", (struct options){.before = nameByLink});
  EXITED_WELL(run);
  done(&run);
  char target[128];
  snprintf(target, sizeof target, "%s-named", pm_directory());
  unlink(target);
}

static void grow(void) {
  int fd = open_file(pm_file("grow"));
  char *pm = map_fd(fd, NULL, MAP_SHARED, 0, 8192);
  pm[1] = 'g';
  char *more = mremap(pm, 8192, SIZE, MREMAP_MAYMOVE);
  CHECK(more == pm && more[1] == 'g');
  char *far = mremap(more, SIZE, (size_t)5 << 30, MREMAP_MAYMOVE);
  CHECK(far != MAP_FAILED && far != more && in_window(far) && far[1] == 'g');
  char *less = mremap(far, (size_t)5 << 30, 4096, 0);
  CHECK(less == far);
  CHECK(mremap(less, 4096, 1, MREMAP_FIXED, (void *)1) == MAP_FAILED);
}

static void shouldFollowMappingsThatGrowAndMove(void) {
  struct run run;
  perform(&run, "grow", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(SIZE, event_of(&run, PERDURE_EV_MAP, 1)->value);
  CHECK_EQUAL((uint64_t)5 << 30, event_of(&run, PERDURE_EV_MAP, 2)->value);
  CHECK_EQUAL(4096, event_of(&run, PERDURE_EV_MAP, 3)->value);
  CHECK_EQUAL(count_of(&run, PERDURE_EV_UNMAP) + 1, count_of(&run, PERDURE_EV_MAP));
  done(&run);
}

static void replacePart(void) {
  int fd = open_file(pm_file("replaced"));
  char *pm = map_fd(fd, NULL, MAP_SHARED, 0, 3 * 4096);
  CHECK(mmap(pm + 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == pm + 4096);
  memset(pm + 4096, 1, 64);
  memset(pm + 8192, 2, 64);
  CHECK(map_fd(fd, pm + 4096, MAP_SHARED | MAP_FIXED, 4096, 4096) == pm + 4096);
  memset(pm + 4096, 3, 64);
  CHECK(munmap(pm, 3 * 4096) == 0);
  CHECK(map_fd(fd, NULL, MAP_SHARED, 0, 3 * 4096) == pm);
  memset(pm, 4, 64);
}

static void shouldNotTakeForPmWhatReplacesPartOfAMapping(void) {
  struct run run;
  perform(&run, "replacePart", (struct options){0});
  EXITED_WELL(run);
  uint64_t addr = event_of(&run, PERDURE_EV_MAP, 0)->addr;
  CHECK_EQUAL(3, count_of(&run, PERDURE_EV_STORE_BLOCK));
  CHECK_EQUAL(addr + 8192, event_of(&run, PERDURE_EV_STORE_BLOCK, 0)->addr);
  CHECK_EQUAL(addr + 4096, event_of(&run, PERDURE_EV_STORE_BLOCK, 1)->addr);
  CHECK_EQUAL(addr, event_of(&run, PERDURE_EV_STORE_BLOCK, 2)->addr);
  done(&run);
}

static void wishForPlaces(void) {
  char *wanted = (char *)PERDURE_WINDOW_BASE + ((uint64_t)37 << PERDURE_BLOCK_SHIFT);
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  char *pm = map_fd(open_file(pm_file("wished")), NULL, MAP_SHARED, 0, SIZE);
  char *wished = map_fd(-1, wanted, flags, 0, SIZE);
  CHECK(!in_window(wished));
  memset(wished, 1, 64);
  CHECK(map_fd(-1, wanted, flags | MAP_FIXED_NOREPLACE, 0, SIZE) == wanted);
  memset(wanted, 2, 64);
  memset(pm, 3, 64);
}

static void shouldNotTakeForPmWhatAProgramWishesToHaveInTheWindow(void) {
  struct run run;
  perform(&run, "wishForPlaces", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_STORE_BLOCK));
  CHECK_EQUAL(event_of(&run, PERDURE_EV_MAP, 0)->addr, event_of(&run, PERDURE_EV_STORE_BLOCK, 0)->addr);
  done(&run);
}

static void synchronise(void) {
  int fd = open_file(pm_file("sync"));
  char *pm = map_fd(fd, NULL, MAP_SHARED, 0, SIZE);
  CHECK(msync(pm + 4096, 100, MS_SYNC) == 0);
  CHECK(msync(pm + 4096, 100, MS_ASYNC) == 0);
  CHECK(msync(pm + 1, 100, MS_SYNC) == -1);
  CHECK(fsync(fd) == 0);
  CHECK(fdatasync(fd) == 0);
  int other = open_file(pm_file("unmapped"));
  CHECK(fsync(other) == 0);
}

static void shouldRecordMsyncAndFsync(void) {
  struct run run;
  perform(&run, "synchronise", (struct options){0});
  EXITED_WELL(run);
  uint64_t addr = event_of(&run, PERDURE_EV_MAP, 0)->addr;
  CHECK_EQUAL(3, count_of(&run, PERDURE_EV_PERSIST));
  const struct event *first = event_of(&run, PERDURE_EV_PERSIST, 0), *second = event_of(&run, PERDURE_EV_PERSIST, 1);
  CHECK_EQUAL(PERDURE_PERSIST_MSYNC, first->info);
  CHECK_EQUAL(addr + 4096, first->addr);
  CHECK_EQUAL(100, first->value);
  CHECK_EQUAL(PERDURE_PERSIST_FSYNC, second->info);
  CHECK_EQUAL(addr, second->addr);
  CHECK_EQUAL(SIZE, second->value);
  done(&run);
}

const struct named TESTS[] = {
    {"shouldMapPmFilesIntoTheWindow", shouldMapPmFilesIntoTheWindow},
    {"shouldMapAFileToTheSamePlaceInEveryProcess", shouldMapAFileToTheSamePlaceInEveryProcess},
    {"shouldKeepAddressesThatTheProgramInsistsOn", shouldKeepAddressesThatTheProgramInsistsOn},
    {"shouldLeaveOtherMappingsAndErrorsAlone", shouldLeaveOtherMappingsAndErrorsAlone},
    {"shouldSeeThroughSymbolicLinks", shouldSeeThroughSymbolicLinks},
    {"shouldFollowMappingsThatGrowAndMove", shouldFollowMappingsThatGrowAndMove},
    {"shouldNotTakeForPmWhatReplacesPartOfAMapping", shouldNotTakeForPmWhatReplacesPartOfAMapping},
    {"shouldNotTakeForPmWhatAProgramWishesToHaveInTheWindow", shouldNotTakeForPmWhatAProgramWishesToHaveInTheWindow},
    {"shouldRecordMsyncAndFsync", shouldRecordMsyncAndFsync},
    {NULL, NULL},
};
const struct named ACTS[] = {{"mapTwice", mapTwice},           {"mapInTwoProcesses", mapInTwoProcesses},
                             {"insistOnAddress", insistOnAddress}, {"mapWhatIsNoPm", mapWhatIsNoPm},
                             {"throughLink", throughLink},     {"grow", grow},
                             {"replacePart", replacePart},     {"synchronise", synchronise},
                             {"wishForPlaces", wishForPlaces}, {NULL, NULL}};
