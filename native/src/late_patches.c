#include "late_patches.h"
#include "interrupted.h"
#include "plans.h"
#include "system.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#define MOST 512u

static struct patched_text waiting[MOST];
static uint32_t count;
static bool made;

bool late_patches_wait(void) { return !made && count < MOST; }

void late_patches_add(const struct patched_text *text) { waiting[count++] = *text; }

static void release(const struct patched_text *text) {
  if (text->own_plan) {
    SYSTEM(SYS_munmap, text->plan, text->plan_bytes, 0);
  }
}

bool late_patches_forget(uint64_t module) {
  for (uint32_t i = 0; i < count; i++) {
    if ((uint64_t)waiting[i].module == module) {
      release(&waiting[i]);
      waiting[i] = waiting[--count];
      return true;
    }
  }
  return false;
}

/* Threads that were started by none of the functions that we know of may be anywhere in the text. */
static bool one_thread(void) {
  static const char key[] = "\nThreads:\t1\n";
  char text[4096];
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(fd)) {
    return true;
  }
  long got = SYSTEM(SYS_read, fd, text, sizeof text);
  SYSTEM(SYS_close, fd, 0, 0);
  for (long i = 0; i + (long)sizeof key - 1 <= got; i++) {
    if (memcmp(text + i, key, sizeof key - 1) == 0) {
      return true;
    }
  }
  return got <= 0;
}

/* Code that a signal has interrupted goes on where it was, in the copy if that place is overwritten now. */
static void move_on(ucontext_t *context) {
  uint64_t at = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  for (uint32_t i = 0; i < count; i++) {
    const struct patched_text *t = &waiting[i];
    if (at < (uint64_t)t->module + t->low || at >= (uint64_t)t->module + t->high) {
      continue;
    }
    uint32_t low = 0, high = t->moved, wanted = (uint32_t)(at - (uint64_t)t->module);
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (t->moved_to[middle].address < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < t->moved && t->moved_to[low].address == wanted) {
      context->uc_mcontext.gregs[REG_RIP] = (greg_t)(t->copy + t->moved_to[low].position);
    }
    return;
  }
}

COLD void late_patches_make(void) {
  uint64_t all = ~UINT64_C(0), before;
  if (made) {
    return;
  }
  made = true;
  if (count == 0) {
    return;
  }
  if (!one_thread()) {
    plans_unobserved("this process", "it has threads that were started in an unknown way; its code runs mostly unobserved");
    return;
  }
  SYSTEM6(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all, 0, 0);
  interrupted_each(move_on);
  for (uint32_t i = 0; i < count; i++) {
    patching_write(&waiting[i], PATCHES_LATE);
    release(&waiting[i]);
  }
  count = 0;
  patching_written();
  SYSTEM6(SYS_rt_sigprocmask, SIG_SETMASK, &before, 0, sizeof before, 0, 0);
}
