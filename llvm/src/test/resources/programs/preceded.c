#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

struct record {
  uint64_t word[8];
};
extern struct record *test_pm;
static struct record ordinary;
static volatile uint64_t sink;

#define FLUSH(line) __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)(line)))

__attribute__((noinline, used)) static void stores(struct record *r, struct record *other) {
  r->word[0] = 1;     // first
  r->word[2] = 2;     // same-object
  other->word[4] = 3; // other-object
  r->word[6] = 4;     // again
}

__attribute__((noinline, used)) static void loads(struct record *r, const uint64_t *p) {
  r->word[0] = 1;
  __asm__ volatile("" : : : "memory");
  r->word[2] = *p; // behind-load
}

__attribute__((noinline, used)) static void calls(struct record *r) {
  r->word[0] = 1;
  (void)getppid();
  r->word[2] = 2; // behind-call
}

__attribute__((noinline, used)) static void fences(struct record *r) {
  __asm__ volatile("sfence" : : : "memory");
  r->word[0] = 1; // behind-fence
}

__attribute__((noinline, used)) static void flushes(struct record *r, const struct record *other) {
  r->word[0] = 1;
  FLUSH(&r->word[1]); // flush-of-stored
  __asm__ volatile("clflush %0" : "+m"(*(volatile char *)r)); // ordered-flush
  __builtin_ia32_clflush(r); // built-in-ordered-flush
  FLUSH(other);       // flush-of-other
}

__attribute__((noinline, used)) static void persists(struct record *r, uintptr_t n) {
  r->word[0] = 1;
#pragma clang loop unroll(disable)
  for (uintptr_t a = (uintptr_t)r & -64ul; a < (uintptr_t)r + n; a += 64) FLUSH(a); // flush-in-loop
}

__attribute__((noinline, used)) static void waits(struct record *r, uint64_t n) {
  r->word[0] = 1;
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < n; i++) __asm__ volatile("pause");
  r->word[2] = 2; // behind-loop
}

__attribute__((noinline, used)) static void branches(struct record *r, int go) {
  if (go) r->word[0] = 1;
  __asm__ volatile("" : : : "memory");
  r->word[2] = 2; // on-one-way
}

__attribute__((noinline, used)) static void overwrites(struct record *r, uint64_t n) {
  r->word[0] = 1;
  r->word[1] = 2; // beside
  __asm__ volatile("" : : : "memory");
  r->word[0] = 3; // overwriting
  __asm__ volatile("" : : : "memory");
  r->word[1] = 4; // overwriting-behind-a-time
  __asm__ volatile("" : : : "memory");
#pragma clang loop unroll(disable)
  for (uint64_t i = 0; i < n; i++) {
    r->word[2] = i; // overwriting-in-loop
    __asm__ volatile("" : : : "memory");
  }
  r->word[5] = 1;
#pragma clang loop unroll(disable)
  for (uint64_t *p = r->word + 6; p < r->word + 6 + n; p++) {
    *p = n; // one-behind-the-other
    __asm__ volatile("" : : : "memory");
  }
}

int main(void) {
  overwrites(test_pm, 2);
  stores(test_pm, test_pm + 1);
  loads(test_pm, &test_pm->word[3]);
  calls(test_pm);
  fences(test_pm);
  flushes(test_pm, test_pm + 1);
  persists(test_pm, 64);
  waits(test_pm, 2);
  branches(test_pm, getppid() != 0);
  sink = ordinary.word[0];
  return 0;
}
