#include "harness.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *test_name = "";
static int failures;
static bool failed, skipped;
static jmp_buf out;
static char directory[64];

void check(bool holds, const char *what, const char *file, int line) {
  if (!holds) {
    fprintf(stderr, "%s:%d: %s: does not hold: %s\n", file, line, test_name, what);
    if (getenv("PERDURE_ACT") != NULL) {
      _exit(99);
    }
    failed = true;
    longjmp(out, 1);
  }
}

void check_equal(unsigned long long expected, unsigned long long actual, const char *what, const char *file, int line) {
  if (expected != actual) {
    fprintf(stderr, "%s:%d: %s is %llu (0x%llx), not %llu (0x%llx)\n", file, line, what, actual, actual, expected, expected);
    check(false, what, file, line);
  }
}

void skip(const char *why) {
  printf("skipped %s: %s\n", test_name, why);
  skipped = true;
  longjmp(out, 1);
}

const char *pm_directory(void) {
  const char *given = getenv("PERDURE_TEST_PM");
  return given != NULL ? given : directory;
}

const char *pm_file(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", pm_directory(), name);
  return path;
}

static void start_act(const char *act, const char *recording) {
  setenv("PERDURE_ACT", act, 1);
  setenv("PERDURE_TEST_PM", directory, 1);
  setenv(PERDURE_ENV_RECORDING, recording, 1);
  execl("/proc/self/exe", "act", (char *)NULL);
  _exit(98);
}

void perform(struct run *run, const char *act, struct options options) {
  const char *pm[] = {directory, NULL};
  char path[128];
  static int recordings;
  memset(run, 0, sizeof *run);
  snprintf(path, sizeof path, "%s/recording-%d-%d", options.directory != NULL ? options.directory : directory, getpid(), recordings++);
  CHECK(recording_create(&run->recording, path, options.ring_slots != 0 ? options.ring_slots : 4096, pm));
  run->recording.header->clock = options.clock;
  run->recording.header->reader_pid = options.nobody_drains ? 0 : (uint32_t)getpid();
  if (options.before != NULL) {
    options.before(&run->recording);
  }
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    start_act(act, path);
  }
  while (waitpid(pid, &run->status, WNOHANG) == 0) {
    if (options.during != NULL) {
      options.during(&run->recording, pid);
    }
    if (options.nobody_drains || recording_drain(&run->recording, &run->events, false) == 0) {
      usleep(200);
    }
  }
  recording_drain(&run->recording, &run->events, true);
  events_sort(&run->events);
}

void done(struct run *run) {
  events_free(&run->events);
  recording_close(&run->recording);
}

size_t count_of(const struct run *run, uint32_t kind) {
  size_t n = 0;
  for (size_t i = 0; i < run->events.count; i++) {
    n += run->events.all[i].kind == kind;
  }
  return n;
}

size_t count_at(const struct run *run, uint32_t kind, uint32_t site) {
  size_t n = 0;
  for (size_t i = 0; i < run->events.count; i++) {
    n += run->events.all[i].kind == kind && run->events.all[i].site == site;
  }
  return n;
}

const struct event *event_of(const struct run *run, uint32_t kind, size_t n) {
  for (size_t i = 0; i < run->events.count; i++) {
    if (run->events.all[i].kind == kind && n-- == 0) {
      return &run->events.all[i];
    }
  }
  fprintf(stderr, "no such event: %s\n", event_name(kind));
  CHECK(false);
  return NULL;
}

const struct event *event_at(const struct run *run, uint32_t kind, const void *addr, size_t n) {
  for (size_t i = 0; i < run->events.count; i++) {
    if (run->events.all[i].kind == kind && run->events.all[i].addr == (uint64_t)addr && n-- == 0) {
      return &run->events.all[i];
    }
  }
  fprintf(stderr, "no such event: %s at %p\n", event_name(kind), addr);
  CHECK(false);
  return NULL;
}

void *map_pm(const char *name, size_t length) {
  int fd = open(pm_file(name), O_RDWR | O_CREAT, 0600);
  CHECK(fd >= 0 && ftruncate(fd, (off_t)length) == 0);
  void *pm = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(pm != MAP_FAILED);
  close(fd);
  return pm;
}

void store8(uint64_t *to, uint64_t value, uint32_t site) {
  __perdure_store(to, value, PERDURE_INFO(8, PERDURE_PLAIN), site);
  *(volatile uint64_t *)to = value;
}

uint64_t load8(const uint64_t *from, uint32_t site) {
  uint64_t value = *(const volatile uint64_t *)from;
  __perdure_load(from, value, PERDURE_INFO(8, PERDURE_PLAIN), site);
  return value;
}

static int run_act(const char *name) {
  for (const struct named *act = ACTS; act->name != NULL; act++) {
    if (strcmp(act->name, name) == 0) {
      test_name = name;
      act->function();
      return 0;
    }
  }
  return 97;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
  (void)status, (void)type, (void)walk;
  return remove(path);
}

static void run_test(const struct named *test) {
  test_name = test->name;
  failed = skipped = false;
  if (setjmp(out) == 0) {
    test->function();
  }
  failures += failed;
  if (!skipped) {
    printf("%s %s\n", failed ? "FAILED" : "ok", test->name);
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  const char *act = getenv("PERDURE_ACT");
  if (act != NULL) {
    return run_act(act);
  }
  snprintf(directory, sizeof directory, "/dev/shm/perdure-pm-%d", getpid());
  if (mkdir(directory, 0700) != 0) {
    perror(directory);
    return 2;
  }
  for (const struct named *test = TESTS; test->name != NULL; test++) {
    if (argc < 2 || strstr(test->name, argv[1]) != NULL) {
      run_test(test);
    }
  }
  nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  return failures != 0;
}
