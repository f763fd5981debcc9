#include "thread_numbers.h"
#include "number_map.h"
#include "runtime.h"
#include "system.h"
#include <sys/uio.h>

static struct number_map by_pthread;
static struct number_map by_name;
static uint32_t announced; /* threads that are to come */

/* A process id and a number each. Handlers of SIGCHLD look here, perhaps in the middle of a change: no locks. A child whose place another
 * one has taken is not known any more. */
#define CHILDREN 1024
static uint64_t children[CHILDREN];

void thread_number_remember(pthread_t thread, uint32_t number) { number_map_put(&by_pthread, thread, number); }

void thread_number_announce(void) { __atomic_add_fetch(&announced, 1, __ATOMIC_SEQ_CST); }
void thread_number_call_off(void) { __atomic_sub_fetch(&announced, 1, __ATOMIC_SEQ_CST); }

void thread_number_arrive(pthread_t thread, uint32_t number) {
  thread_number_remember(thread, number);
  thread_number_call_off();
}

uint32_t thread_number_expect(pthread_t thread) {
  uint32_t number;
  bool all_began;
  do {
    all_began = __atomic_load_n(&announced, __ATOMIC_SEQ_CST) == 0;
    number = number_map_get(&by_pthread, thread);
    if (number == 0 && !all_began) {
      system_yield();
    }
  } while (number == 0 && !all_began);
  return number;
}

void thread_number_forget(pthread_t thread) { thread_number_remember(thread, 0); }

void thread_number_forget_if(pthread_t thread, uint32_t number) { number_map_forget_if(&by_pthread, thread, number); }

/* The word may be the thread's name or the place where the name was stored; only the kernel can tell whether it can be read. */
void thread_number_name(uint64_t word, uint32_t number) {
  uint64_t stored = 0;
  struct iovec to = {&stored, sizeof stored}, from = {(void *)word, sizeof stored};
  number_map_put(&by_name, word, number);
  if (SYSTEM6(SYS_process_vm_readv, SYSTEM(SYS_getpid, 0, 0, 0), &to, 1, &from, 1, 0) == sizeof stored && stored != 0) {
    number_map_put(&by_name, stored, number);
  }
}

uint32_t thread_number_named(uint64_t word) { return number_map_get(&by_name, word); }

void thread_number_of_child_is(pid_t child, uint32_t number) {
  __atomic_store_n(&children[(uint32_t)child % CHILDREN], (uint64_t)child << 32 | number, __ATOMIC_RELAXED);
}

uint32_t thread_number_of_child(pid_t child) {
  uint64_t known = __atomic_load_n(&children[(uint32_t)child % CHILDREN], __ATOMIC_RELAXED);
  return known >> 32 == (uint64_t)child ? (uint32_t)known : 0;
}

void thread_numbers_hold(void) {
  number_map_hold(&by_pthread);
  number_map_hold(&by_name);
}

void thread_numbers_drop(void) {
  number_map_drop(&by_name);
  number_map_drop(&by_pthread);
}

void thread_numbers_forget_all(void) {
  announced = 0;
  number_map_clear(&by_pthread);
  number_map_clear(&by_name);
  for (int i = 0; i < CHILDREN; i++) {
    children[i] = 0;
  }
}
