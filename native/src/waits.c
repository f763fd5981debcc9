/* Waiting for a child orders what follows after all that the child did, as joining a thread does. */
#include "pm.h"
#include "real.h"
#include "thread_numbers.h"
#include <sys/resource.h>
#include <sys/wait.h>

static bool ended(int status) { return WIFEXITED(status) || WIFSIGNALED(status); }

static void child_ended(pid_t child) {
  uint32_t number = watching() ? thread_number_of_child(child) : 0;
  if (number != 0) {
    emit(STAMP_AFTER, PERDURE_EV_THREAD_JOIN, PERDURE_JOINED_PROCESS, NULL, number);
  }
}

static pid_t waited(pid_t child, int status, int *result) {
  if (child > 0) {
    if (result != NULL) {
      *result = status;
    }
    if (ended(status)) {
      child_ended(child);
    }
  }
  return child;
}

REAL(wait);
EXPORT pid_t wait(int *result) {
  int status = 0;
  pid_t child = CALL(wait)(&status);
  return waited(child, status, result);
}

REAL(waitpid);
EXPORT pid_t waitpid(pid_t pid, int *result, int options) {
  int status = 0;
  pid_t child = CALL(waitpid)(pid, &status, options);
  return waited(child, status, result);
}

REAL(wait3);
EXPORT pid_t wait3(int *result, int options, struct rusage *usage) {
  int status = 0;
  pid_t child = CALL(wait3)(&status, options, usage);
  return waited(child, status, result);
}

REAL(wait4);
EXPORT pid_t wait4(pid_t pid, int *result, int options, struct rusage *usage) {
  int status = 0;
  pid_t child = CALL(wait4)(pid, &status, options, usage);
  return waited(child, status, result);
}

REAL(waitid);
EXPORT int waitid(idtype_t kind, id_t id, siginfo_t *result, int options) {
  siginfo_t own = {0}, *info = result != NULL ? result : &own;
  int failed = CALL(waitid)(kind, id, info, options);
  bool over = info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;
  if (failed == 0 && info->si_pid > 0 && over) {
    child_ended(info->si_pid);
  }
  return failed;
}
