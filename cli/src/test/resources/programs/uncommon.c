#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
typedef int32_t ints __attribute__((vector_size(32)));
__attribute__((target("avx2"), noinline)) static int vectors(char *pool) {
    ints index = {0, 10, 20, 30, 40, 50, 60, 70}, mask = {-1, 0, -1, 0, 0, 0, 0, -1}, data = {1, 2, 3, 4, 5, 6, 7, 8}, got = {0};
    ints selected = mask;
    __asm__ volatile("vpgatherdd %1, (%2,%3,4), %0" : "+x"(got), "+x"(selected) : "r"(pool + 2048), "x"(index) : "memory");
    __asm__ volatile("vpmaskmovd %1, %2, (%0)" : : "r"(pool + 3072), "x"(data), "x"(mask) : "memory");
    __asm__ volatile("vpmaskmovd (%1), %2, %0" : "=x"(got) : "r"(pool + 3072), "x"(mask) : "memory");
    return got[7] == 8 && got[1] == 0;
}
int main(int count, char **words) {
  int fd = open(words[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (count < 2 || ftruncate(fd, 8192) != 0) return 1;
  char *pool = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  long bit = 8 * 4096 + 3;
  unsigned char found;
  __asm__ volatile("btq %1, (%2)\n setc %0" : "=q"(found) : "r"(bit), "r"(pool) : "memory", "cc");
  __asm__ volatile("btsq %0, (%1)" : : "r"(-8 * 64L + 5), "r"(pool + 512) : "memory", "cc");
  __asm__ volatile("lock btsl %k0, (%1)" : : "r"(64L), "r"(pool + 1024) : "memory", "cc");
  __asm__ volatile("lea -128(%%rsp), %%rsp\n push $77\n popq (%0)\n lea 128(%%rsp), %%rsp" : : "r"(pool + 8) : "memory");
  unsigned char al = 9;
  __asm__ volatile("xlatb" : "+a"(al) : "b"(pool + 16) : "memory");
  if (__builtin_cpu_supports("avx2") && !vectors(pool)) return 2;
  __asm__ volatile("movq %1, %%xmm9\n movq %2, %%xmm3\n maskmovdqu %%xmm9, %%xmm3"
                   : : "D"(pool + 3584), "r"(0x0000000000008080L), "r"(0x0000000000004142L) : "memory", "xmm9", "xmm3");
  return *(short *)(pool + 3584) == 0x4142 && pool[8] == 77 ? 0 : 3;
}
