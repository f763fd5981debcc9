#include <immintrin.h>
#include <stdint.h>
#include <string.h>

struct record {
  uint64_t word;
  uint32_t half;
  float number;
  long double wide;
  char text[32];
};
extern struct record *test_pm;
static struct record ordinary;

__attribute__((noinline, used)) static void plain(struct record *r) {
  r->word = 0x1122334455667788; // plain-word
  r->number = 1.5f;             // plain-float
  r->wide = 2.0L;               // plain-wide
}

__attribute__((noinline, used)) static uint32_t loads(const struct record *r) {
  return r->half; // load
}

__attribute__((noinline, used)) static void volatiles(volatile uint32_t *half) {
  *half = 9;   // volatile-store
  (void)*half; // volatile-load
}

__attribute__((noinline, used)) static void blocks(struct record *to, const struct record *from, size_t n) {
  memcpy(to->text, from->text, n);  // copy
  memmove(to->text + 1, to->text, n); // move
  memset(to->text, 7, n);           // fill
}

__attribute__((noinline, used)) static int compares(const struct record *r) {
  return memcmp(r->text, "abcd", 4) == 0; // compare
}

__attribute__((noinline, used)) static void streams(struct record *r) {
  _mm_stream_si64((long long *)&r->word, 5); // stream
  _mm_clflush(r);                            // clflush
  _mm_sfence();                              // sfence
  _mm_mfence();                              // mfence
}

__attribute__((noinline, used)) static uint64_t stays_on_stack(uint64_t a) {
  volatile uint64_t local = a; // local
  return local;
}

int main(void) {
  plain(test_pm);
  plain(&ordinary);
  volatiles(&test_pm->half);
  volatiles(&ordinary.half);
  blocks(test_pm, &ordinary, 5);
  blocks(&ordinary, &ordinary, 5);
  streams(test_pm);
  return (int)(loads(test_pm) - 9 + compares(test_pm) + stays_on_stack(0));
}
