/* A target for tests: calls the hooks by hand, as instrumented code does. */
#define _GNU_SOURCE
#include "perdure_hooks.h"
#include "perdure_trace.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t *map(const char *path, size_t length) {
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)length) != 0) {
    exit(90);
  }
  void *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (p == MAP_FAILED) {
    exit(91);
  }
  close(fd);
  return p;
}

static void store(uint64_t *p, uint64_t value) {
  __perdure_store(p, value, PERDURE_INFO(8, PERDURE_PLAIN), 0);
  *p = value;
}

static uint64_t *pool, *progress;

/* Tells, in a file of its own, how many stores are surely recorded. */
static void *count_for_ever(void *arg) {
  uintptr_t n = (uintptr_t)arg;
  for (uint64_t i = 1;; i++) {
    store(&pool[n], i);
    if (i % 7 == 0) {
      __perdure_store_block(&pool[64 + 16 * n], "0123456789012345678901234567890123456789", 40, 0, 0);
    }
    __atomic_store_n(&progress[n], i, __ATOMIC_RELEASE);
  }
  return NULL;
}

/* The test waits for this before it lets time pass. */
static void say_ready(void) {
  const char *path = getenv("READY");
  if (path != NULL) {
    close(open(path, O_WRONLY | O_CREAT, 0600));
  }
}

static void ignore(int signal) { (void)signal; }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "exit") == 0) {
    return atoi(argv[2]);
  }
  if (strcmp(what, "raise") == 0) {
    raise(atoi(argv[2]));
  }
  if (strcmp(what, "store") == 0) {
    store(map(argv[2], 4096), strtoull(argv[3], NULL, 0));
  }
  if (strcmp(what, "say") == 0) {
    puts(getenv(argv[2]) ? getenv(argv[2]) : "(unset)");
  }
  if (strcmp(what, "count") == 0) {
    pool = map(argv[2], 65536);
    progress = map(argv[3], 4096);
    for (uintptr_t i = 1; i < 3; i++) {
      pthread_t thread;
      pthread_create(&thread, NULL, count_for_ever, (void *)i);
    }
    count_for_ever(NULL);
  }
  if (strcmp(what, "fork") == 0) {
    pool = map(argv[2], 4096);
    store(pool, 1);
    if (fork() == 0) {
      store(pool + 1, 2);
      _exit(0);
    }
    wait(NULL);
    store(pool + 2, 3);
  }
  if (strcmp(what, "exec") == 0) {
    store(map(argv[2], 4096), 1);
    execl(argv[0], argv[0], "store", argv[2], "2", (char *)NULL);
    return 92;
  }
  if (strcmp(what, "hang") == 0) {
    if (argc > 2) {
      signal(SIGTERM, ignore);
    }
    say_ready();
    for (;;) {
      pause();
    }
  }
  if (strcmp(what, "serve") == 0) {
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    say_ready();
    sigwait(&set, &got);
    return 7;
  }
  if (strcmp(what, "daemon") == 0) {
    if (fork() == 0) {
      setsid();
      sleep(60);
      _exit(0);
    }
  }
  return 0;
}
