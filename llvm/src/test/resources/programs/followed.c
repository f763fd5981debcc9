#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

struct record {
  uint64_t word[8];
};
extern struct record *test_pm;
static struct record ordinary;
static volatile uint64_t sink;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline, used)) static uint64_t unlocks(const struct record *r) {
  pthread_mutex_lock(&mutex);
  uint64_t word = r->word[0]; // before-unlock
  pthread_mutex_unlock(&mutex);
  return word;
}

__attribute__((noinline, used)) static void stores(struct record *r) {
  r->word[1] = r->word[0] + 1; // before-store
}

__attribute__((noinline, used)) static void stores_elsewhere(struct record *to, const struct record *from) {
  to->word[1] = from->word[2]; // before-other-object
}

__attribute__((noinline, used)) static uint64_t fences(const struct record *r) {
  uint64_t word = r->word[3]; // before-fence
  __asm__ volatile("sfence" : : : "memory");
  return word;
}

__attribute__((noinline, used)) static void calls(struct record *r) {
  uint64_t word = r->word[4]; // before-call
  (void)getppid();
  r->word[4] = word;
}

__attribute__((noinline, used)) static void calls_the_kernel(struct record *r) {
  uint64_t word = r->word[4]; // before-system-call
  long result = 110;          /* getppid */
  __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
  r->word[4] = word;
}

__attribute__((noinline, used)) static uint64_t branches(struct record *r, int go) {
  uint64_t word = r->word[5]; // on-one-way
  if (go) r->word[5] = word + 1;
  return word;
}

__attribute__((noinline, used)) static uint64_t loops(const struct record *r, uint64_t n) {
  uint64_t sum = 0;
#pragma clang loop unroll(disable) vectorize(disable)
  for (uint64_t i = 0; i < n; i++) sum += r->word[i]; // in-loop
  return sum;
}

__attribute__((noinline, used)) static uint64_t returns(const struct record *r) {
  return r->word[7]; // last
}

int main(void) {
  unlocks(test_pm);
  stores(test_pm);
  stores_elsewhere(&ordinary, test_pm);
  fences(test_pm);
  calls(test_pm);
  calls_the_kernel(test_pm);
  sink = branches(test_pm, getppid() == 0);
  sink = loops(test_pm, 2);
  sink = returns(test_pm);
  return 0;
}
