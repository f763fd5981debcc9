#include <stdint.h>

struct record {
  uint64_t word;
  uint32_t half;
  uint8_t byte;
  char text[32];
};
extern struct record *test_pm;

__attribute__((noinline, used)) static void flushes(struct record *r) {
  __asm__ volatile("clflush %0" : "+m"(*(volatile char *)r)); // clflush
  __asm__ volatile(".byte 0x66; clflush %0" : "+m"(*(volatile char *)r)); // clflushopt
  __asm__ volatile(".byte 0x66; xsaveopt %0" : "+m"(*(volatile char *)r)); // clwb
  __asm__ volatile("clflush 8(%0)" : : "r"(r) : "memory"); // in-register
  __asm__ volatile(".byte 0x66, 0x0f, 0xae, 0x3b" : : "b"(r) : "memory"); // as-bytes
  __asm__ volatile("sfence" : : : "memory"); // sfence
  __asm__ volatile("" : "+m"(r->word) : : "memory"); // barrier
}

__attribute__((noinline, used)) static void stores(struct record *r) {
  __asm__ volatile("movnti %1, %0" : "=m"(r->word) : "r"(42L)); // movnti
  __asm__ volatile("movl %1, %0" : "=m"(r->half) : "r"(11)); // mov
  __asm__ volatile("incl %0" : "+m"(r->half)); // inc
  void *to = r->text;
  long n = 3;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(65) : "memory"); // stos
}

__attribute__((noinline, used)) static void locked(struct record *r) {
  uint8_t one = 1;
  __asm__ volatile("xchgb %0, %1" : "+q"(one), "+m"(r->byte) : : "memory"); // xchgb
  uint64_t next = 77;
  __asm__ volatile("xchgq %0, (%1)" : "+r"(next) : "r"(&r->word) : "memory"); // xchgq
  __asm__ volatile("lock; addl %1, %0" : "+m"(r->half) : "r"(3) : "memory"); // add
  __asm__ volatile("lock; addl $0, -4(%%rsp)" : : : "memory"); // fence
}

int main(void) {
  flushes(test_pm);
  stores(test_pm);
  locked(test_pm);
  return 0;
}
