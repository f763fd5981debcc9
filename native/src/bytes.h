/* Copies for code that may use neither vector registers nor libc. Behind a string instruction the processor holds back what follows until
 * it is done: short copies go word by word. */
#ifndef PERDURE_BYTES_H
#define PERDURE_BYTES_H
#include <stddef.h>
#include <stdint.h>

#define SHORT_BYTES 256u

struct unaligned_word {
  uint64_t value;
} __attribute__((packed, may_alias));

static inline void copy_bytes(void *to, const void *from, size_t length) {
  if (length <= SHORT_BYTES) {
    for (; length >= 8; length -= 8) {
      ((struct unaligned_word *)to)->value = ((const struct unaligned_word *)from)->value;
      to = (char *)to + 8;
      from = (const char *)from + 8;
    }
    for (size_t i = 0; i < length; i++) {
      ((char *)to)[i] = ((const char *)from)[i];
    }
    return;
  }
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
}

static inline void fill_bytes(void *to, int byte, size_t length) {
  if (length <= SHORT_BYTES) {
    uint64_t word = (uint64_t)(unsigned char)byte * UINT64_C(0x0101010101010101);
    for (; length >= 8; length -= 8) {
      ((struct unaligned_word *)to)->value = word;
      to = (char *)to + 8;
    }
    for (size_t i = 0; i < length; i++) {
      ((char *)to)[i] = (char)byte;
    }
    return;
  }
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(length) : "a"(byte) : "memory");
}

#endif
