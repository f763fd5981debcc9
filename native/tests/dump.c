/* Prints the events of a recording as lines of text, by time.
 *
 *   dump RECORDING                         what a recording holds
 *   dump --record [--pm PATH]... -- PROGRAM ARGS...   runs a program with libperdure.so beside this tool, then prints */
#include "recording_file.h"
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void print_event(const struct event *e) {
  printf("%llu T%u %s", (unsigned long long)e->time, e->thread, event_name(e->kind));
  printf(" addr=%llx info=%u value=%llx site=%u stack=%u", (unsigned long long)e->addr, e->info, (unsigned long long)e->value, e->site,
         e->stack);
  if (e->payload_length != 0) {
    printf(" payload=");
    for (uint32_t i = 0; i < e->payload_length && i < 64; i++) {
      printf("%02x", e->payload[i]);
    }
    printf(e->payload_length > 64 ? "..." : "");
  }
  printf("\n");
}

static void print_tables(const struct recording *r) {
  for (uint32_t i = 0; i < r->counters->processes; i++) {
    printf("# process %u pid=%u parent=%u flags=%u %s\n", i, r->processes[i].pid, r->processes[i].parent, r->processes[i].flags,
           r->processes[i].exe);
  }
  for (uint32_t i = 0; i < r->counters->modules; i++) {
    printf("# module %u sites=%u..%u %s\n", i, r->modules[i].base, r->modules[i].base + r->modules[i].count - 1, r->modules[i].path);
  }
  for (uint32_t i = 0; i < r->counters->files; i++) {
    printf("# file %u addr=%llx length=%llx %s\n", i, (unsigned long long)r->files[i].addr, (unsigned long long)r->files[i].length,
           r->files[i].path);
  }
  printf("# rings=%u lost=%llu stacks_full=%llu\n", r->counters->rings, (unsigned long long)r->counters->lost,
         (unsigned long long)r->counters->stacks_full);
}

static int record(struct recording *r, struct events *events, int argc, char **argv) {
  const char *pm[64] = {NULL};
  int n = 0, i = 2;
  char paths[64][PATH_MAX];
  for (; i + 1 < argc && strcmp(argv[i], "--pm") == 0 && n < 63; i += 2) {
    if (realpath(argv[i + 1], paths[n]) == NULL) {
      snprintf(paths[n], PATH_MAX, "%s", argv[i + 1]);
    }
    pm[n] = paths[n];
    n++;
  }
  if (i < argc && strcmp(argv[i], "--") == 0) {
    i++;
  }
  char path[64], self[PATH_MAX] = "", library[PATH_MAX + 32];
  snprintf(path, sizeof path, "/dev/shm/perdure-dump-%d", getpid());
  if (i >= argc || readlink("/proc/self/exe", self, sizeof self - 1) < 0 || !recording_create(r, path, 65536, pm)) {
    fprintf(stderr, "dump: cannot record\n");
    return 2;
  }
  const char *chosen = getenv("PERDURE_LIBRARY");
  snprintf(library, sizeof library, "%s/libperdure.so", dirname(self));
  r->header->reader_pid = (uint32_t)getpid();
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setenv(PERDURE_ENV_RECORDING, path, 1);
    setenv("LD_PRELOAD", chosen != NULL ? chosen : library, 1);
    execvp(argv[i], argv + i);
    perror(argv[i]);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (recording_drain(r, events, false) == 0) {
      usleep(100);
    }
  }
  recording_drain(r, events, true);
  printf("# ended: %s %d\n", WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return 0;
}

int main(int argc, char **argv) {
  struct recording r;
  struct events events = {0};
  bool live = argc > 2 && strcmp(argv[1], "--record") == 0;
  if (argc < 2 || (live && record(&r, &events, argc, argv) != 0) || (!live && !recording_open(&r, argv[1]))) {
    fprintf(stderr, "usage: dump RECORDING | dump --record [--pm PATH]... -- PROGRAM ARGS...\n");
    return 2;
  }
  if (!live) {
    recording_drain(&r, &events, true);
  }
  print_tables(&r);
  events_sort(&events);
  for (size_t i = 0; i < events.count; i++) {
    print_event(&events.all[i]);
  }
  events_free(&events);
  if (live) {
    recording_close(&r);
  }
  return 0;
}
