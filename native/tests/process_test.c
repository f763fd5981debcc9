#include "harness.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t *pm;

static const struct perdure_process *process(const struct run *run, uint32_t index) {
  CHECK(index < run->recording.counters->processes && run->recording.processes[index].ready);
  return &run->recording.processes[index];
}

static void forkChild(void) {
  pm = map_pm("process", 4096);
  store8(pm, 1, 1);
  pid_t child;
  CALL_FROM(9, child = fork());
  if (child == 0) {
    for (uint64_t i = 0; i < 1000; i++) {
      store8(pm, i, 2);
    }
    _exit(0);
  }
  for (uint64_t i = 0; i < 1000; i++) {
    store8(pm, i, 3);
  }
  CHECK(waitpid(child, NULL, 0) == child);
}

static void shouldGiveAForkedChildItsOwnThread(void) {
  struct run run;
  perform(&run, "forkChild", (struct options){.ring_slots = 256});
  EXITED_WELL(run);
  CHECK_EQUAL(1000, count_at(&run, PERDURE_EV_STORE, 2));
  CHECK_EQUAL(1000, count_at(&run, PERDURE_EV_STORE, 3));
  CHECK_EQUAL(2, run.recording.counters->processes);
  CHECK_EQUAL(process(&run, 0)->pid, process(&run, 1)->parent);
  CHECK_EQUAL(PERDURE_PROCESS_ENDED | PERDURE_PROCESS_MAPPED_PM, process(&run, 0)->flags);
  CHECK_EQUAL(PERDURE_PROCESS_ENDED | PERDURE_PROCESS_MAPPED_PM, process(&run, 1)->flags);
  const struct event *fork_event = event_of(&run, PERDURE_EV_PROCESS_FORK, 0);
  const struct event *begin = event_of(&run, PERDURE_EV_THREAD_BEGIN, 1);
  CHECK_EQUAL(begin->value, fork_event->value);
  CHECK_EQUAL(1, begin->addr);
  CHECK_EQUAL(1, begin->info);
  CHECK(fork_event->time < begin->time);
  CHECK_EQUAL(1, event_of(&run, PERDURE_EV_PROCESS_BEGIN, 1)->value);
  const struct event *wait_event = event_of(&run, PERDURE_EV_THREAD_JOIN, 0);
  CHECK_EQUAL(begin->value, wait_event->value);
  CHECK_EQUAL(PERDURE_JOINED_PROCESS, wait_event->info);
  CHECK(event_of(&run, PERDURE_EV_PROCESS_EXIT, 0)->time < wait_event->time);
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    if (e->kind == PERDURE_EV_STORE) {
      CHECK_EQUAL(e->site == 2 ? begin->value : 1, e->thread);
    }
  }
  done(&run);
}

static void storeAfterExec(void) {
  pm = map_pm("process", 4096);
  store8(pm, 1, 20);
}

/* The environment that is handed on has nothing of ours, but the tester needs its own. */
static void execWithoutEnvironment(void) {
  pm = map_pm("process", 4096);
  store8(pm, 1, 10);
  char directory[128];
  snprintf(directory, sizeof directory, "PERDURE_TEST_PM=%s", pm_directory());
  char *environment[] = {"PERDURE_ACT=storeAfterExec", directory, NULL};
  CHECK(execle("/nowhere", "act", (char *)NULL, environment) == -1);
  store8(pm, 1, 11);
  execle("/proc/self/exe", "act", "with", "arguments", (char *)NULL, environment);
}

static void shouldFollowExecWithAnEmptyEnvironment(void) {
  struct run run;
  perform(&run, "execWithoutEnvironment", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 10));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 11));
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 20));
  CHECK_EQUAL(2, run.recording.counters->processes);
  CHECK_EQUAL(process(&run, 0)->pid, process(&run, 1)->pid);
  CHECK(process(&run, 0)->flags & PERDURE_PROCESS_EXECED);
  CHECK_EQUAL(0, process(&run, 0)->flags & PERDURE_PROCESS_ENDED);
  CHECK(process(&run, 1)->flags & PERDURE_PROCESS_ENDED);
  done(&run);
}

static void spawnOthers(void) {
  char directory[128], *arguments[] = {"act", NULL};
  snprintf(directory, sizeof directory, "PERDURE_TEST_PM=%s", pm_directory());
  char *environment[] = {"PERDURE_ACT=storeAfterExec", directory, NULL};
  pid_t child;
  int status;
  CHECK(posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environment) == 0);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  child = vfork();
  if (child == 0) {
    execve("/proc/self/exe", arguments, environment);
    _exit(1);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  child = vfork();
  if (child == 0) {
    _exit(3);
  }
  CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
  CHECK(system("exit 4") >> 8 == 4);
}

static void shouldFollowSpawnedProgramsAndLeaveTheParentAlone(void) {
  struct run run;
  perform(&run, "spawnOthers", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(2, count_at(&run, PERDURE_EV_STORE, 20));
  CHECK_EQUAL(0, count_of(&run, PERDURE_EV_PROCESS_EXEC));
  CHECK_EQUAL(PERDURE_PROCESS_ENDED, process(&run, 0)->flags);
  CHECK_EQUAL(1, count_of(&run, PERDURE_EV_PROCESS_EXIT) - count_of(&run, PERDURE_EV_PROCESS_BEGIN) + 1);
  done(&run);
}

static void endByAbort(void) { abort(); }
static void endByUnderscoreExit(void) { _exit(5); }
static void endByQuickExit(void) { quick_exit(6); }
static void exitLate(void) { store8(pm, 1, 30); }
static void endByExit(void) {
  pm = map_pm("process", 4096);
  atexit(exitLate);
  exit(7);
}

static void shouldKnowWhoCameToItsEnd(void) {
  struct run run;
  perform(&run, "endByAbort", (struct options){0});
  CHECK(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGABRT);
  CHECK_EQUAL(0, process(&run, 0)->flags);
  done(&run);
  static const struct {
    const char *act;
    int status;
  } ends[] = {{"endByUnderscoreExit", 5}, {"endByQuickExit", 6}, {"endByExit", 7}};
  for (int i = 0; i < 3; i++) {
    perform(&run, ends[i].act, (struct options){0});
    CHECK_EQUAL(ends[i].status, WEXITSTATUS(run.status));
    CHECK(process(&run, 0)->flags & PERDURE_PROCESS_ENDED);
    CHECK_EQUAL(1, count_of(&run, PERDURE_EV_PROCESS_EXIT));
    CHECK_EQUAL(i == 2, count_at(&run, PERDURE_EV_STORE, 30));
    done(&run);
  }
}

static void closeAllDescriptors(void) {
  pm = map_pm("process", 4096);
  for (int fd = 3; fd < 2000; fd++) {
    close(fd);
  }
  CHECK(open("/dev/null", O_RDONLY) == 3);
  if (fork() == 0) {
    store8(pm, 1, 40);
    _exit(0);
  }
  wait(NULL);
}

static void shouldFindItsFileAgainAfterAllDescriptorsWereClosed(void) {
  struct run run;
  perform(&run, "closeAllDescriptors", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(1, count_at(&run, PERDURE_EV_STORE, 40));
  done(&run);
}

static void manyChildren(void) {
  pm = map_pm("process", 4096);
  for (int i = 0; i < 300; i++) {
    pid_t child = fork();
    if (child == 0) {
      store8(pm, 1, 50);
      kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
  }
}

static void shouldUseTheRingsOfDeadProcessesAgain(void) {
  struct run run;
  perform(&run, "manyChildren", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(300, count_at(&run, PERDURE_EV_STORE, 50));
  CHECK(run.recording.counters->rings < 300);
  done(&run);
}

static void killChildrenAtOnce(void) {
  for (int i = 0; i < 100; i++) {
    pid_t child = fork();
    if (child == 0) {
      pause();
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
}

static void shouldListAChildBeforeItsParentGoesOn(void) {
  struct run run;
  perform(&run, "killChildrenAtOnce", (struct options){0});
  EXITED_WELL(run);
  CHECK_EQUAL(101, run.recording.counters->processes);
  for (uint32_t i = 1; i < 101; i++) {
    CHECK(process(&run, i)->pid != 0);
    CHECK_EQUAL(process(&run, 0)->pid, process(&run, i)->parent);
  }
  done(&run);
}

const struct named TESTS[] = {
    {"shouldGiveAForkedChildItsOwnThread", shouldGiveAForkedChildItsOwnThread},
    {"shouldFollowExecWithAnEmptyEnvironment", shouldFollowExecWithAnEmptyEnvironment},
    {"shouldFollowSpawnedProgramsAndLeaveTheParentAlone", shouldFollowSpawnedProgramsAndLeaveTheParentAlone},
    {"shouldKnowWhoCameToItsEnd", shouldKnowWhoCameToItsEnd},
    {"shouldFindItsFileAgainAfterAllDescriptorsWereClosed", shouldFindItsFileAgainAfterAllDescriptorsWereClosed},
    {"shouldUseTheRingsOfDeadProcessesAgain", shouldUseTheRingsOfDeadProcessesAgain},
    {"shouldListAChildBeforeItsParentGoesOn", shouldListAChildBeforeItsParentGoesOn},
    {NULL, NULL},
};
const struct named ACTS[] = {{"forkChild", forkChild},
                             {"storeAfterExec", storeAfterExec},
                             {"execWithoutEnvironment", execWithoutEnvironment},
                             {"spawnOthers", spawnOthers},
                             {"endByAbort", endByAbort},
                             {"endByUnderscoreExit", endByUnderscoreExit},
                             {"endByQuickExit", endByQuickExit},
                             {"endByExit", endByExit},
                             {"closeAllDescriptors", closeAllDescriptors},
                             {"manyChildren", manyChildren},
                             {"killChildrenAtOnce", killChildrenAtOnce},
                             {NULL, NULL}};
