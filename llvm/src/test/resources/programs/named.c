#include <stddef.h>
#include <stdlib.h>

extern char *test_pm;

__attribute__((noinline)) void my_lock(void *first, char *lock) { __asm__ volatile("" : : "r"(first), "r"(lock) : "memory"); }
static void my_unlock(char *lock) { __asm__ volatile("" : : "r"(lock) : "memory"); }
__attribute__((noinline)) int my_try(char *lock, int result) {
  __asm__ volatile("" : : "r"(lock) : "memory");
  return result;
}
__attribute__((noinline)) void *my_alloc(size_t n) {
  __asm__ volatile("" : : "r"(n) : "memory");
  return test_pm + 64;
}
__attribute__((noinline)) void my_free(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
__attribute__((noinline)) void my_persist(void *p, size_t n) { __asm__ volatile("" : : "r"(p), "r"(n) : "memory"); }
__attribute__((noinline)) void my_fence(void) { __asm__ volatile("" : : : "memory"); }
__attribute__((noinline)) void *my_spawn(int which) {
  __asm__ volatile("" : : "r"(which) : "memory");
  return test_pm + 32;
}
__attribute__((noinline)) void my_wait(void *thread) { __asm__ volatile("" : : "r"(thread) : "memory"); }

int main(void) {
  my_lock(NULL, test_pm);
  my_try(test_pm + 8, 1);
  my_try(test_pm + 16, 0);
  void *p = my_alloc(100);
  my_persist(p, 100);
  my_fence();
  my_free(p);
  my_unlock(test_pm);
  my_wait(my_spawn(1));
  return 0;
}
