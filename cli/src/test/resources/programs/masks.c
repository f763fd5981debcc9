#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
typedef int32_t ints __attribute__((vector_size(64)));
typedef int64_t longs __attribute__((vector_size(64)));
#define STORE(text, at, data, mask) __asm__ volatile("kmovq %2, %%k3\n" text : : "r"(at), "v"(data), "r"((uint64_t)(mask)) : "memory", "k3")
#define LOAD(text, at, mask) __asm__ volatile("kmovq %1, %%k5\n" text : : "r"(at), "r"((uint64_t)(mask)) : "memory", "k4", "k5", "xmm17")

__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2"), noinline)) static int stores(char *pool) {
  ints data = {0x101, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  register ints high __asm__("xmm30") = data;
  longs places = {0, 64, 8, 128, 0, 0, 0, 192};
  STORE("vmovdqu32 %1, (%0)%{%%k3%}", pool, data, 0x8005);
  STORE("vmovdqa64 %1, 64(%0)%{%%k3%}", pool, high, 0x82);
  STORE("vmovdqu8 %1, 128(%0)%{%%k3%}", pool, data, 1ULL << 63 | 2);
  STORE("vmovups %x1, 192(%0)%{%%k3%}", pool, data, 0xfff8);
  STORE("vpmovdb %1, 256(%0)%{%%k3%}", pool, data, 0x8001);
  STORE("vpmovusdb %1, 272(%0)%{%%k3%}", pool, data, 1);
  STORE("vpcompressd %1, 320(%0)%{%%k3%}", pool, high, 0x110);
  STORE("vpcompressw %t1, 352(%0)%{%%k3%}", pool, data, 0xffff0004);
  STORE("vextracti32x4 $1, %1, 384(%0)%{%%k3%}", pool, data, 6);
  __asm__ volatile("kmovq %2, %%k7\n vpscatterqq %1, 512(%0,%3,2)%{%%k7%}" : : "r"(pool), "v"(data), "r"(0x8eL), "v"(places) : "memory", "k7");
  return pool[0] == 1 && pool[1] == 1 && pool[8] == 3 && pool[60] == 16 && pool[72] == 3 && pool[120] == 15 && pool[129] == 1 && pool[204] == 4 &&
         pool[256] == 1 && pool[271] == 16 && pool[272] == -1 && pool[320] == 5 && pool[324] == 9 && pool[352] == 2 && pool[388] == 6 && pool[512] == 0 &&
         pool[528] == 5 && pool[640] == 3 && pool[768] == 7 && pool[896] == 15;
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2"), noinline)) static void loads(char *pool) {
  ints indices = {0, 4, -4, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100};
  longs addresses = {0, (int64_t)pool + 2048, 0, 0, 0, 0, 0, (int64_t)pool + 2056};
  LOAD("vmovdqu16 1024(%0), %%zmm17%{%%k5%}", pool, 1ULL << 31 | 1);
  LOAD("vpaddd 1088(%0), %%ymm17, %%ymm17%{%%k5%}%{z%}", pool, 0xff90);
  LOAD("vpaddd 1152(%0)%{1to16%}, %%zmm17, %%zmm17%{%%k5%}", pool, 0x8000);
  LOAD("vpaddd 1152(%0)%{1to4%}, %%xmm17, %%xmm17%{%%k5%}", pool, 0xfff0);
  LOAD("vbroadcasti32x4 1156(%0), %%zmm17%{%%k5%}", pool, 0x8010);
  LOAD("vpcmpeqd 1216(%0), %%zmm17, %%k5%{%%k5%}", pool, 2);
  LOAD("vpexpandq 1280(%0), %%zmm17%{%%k5%}", pool, 0x88);
  LOAD("vpmovzxbq 1344(%0), %%zmm17%{%%k5%}", pool, 0x81);
  LOAD("vpshufd $0, 1408(%0), %%zmm17%{%%k5%}", pool, 0);
  LOAD("vmovss 1472(%0), %%xmm17%{%%k5%}", pool, 1);
  LOAD("vmovsd 1480(%0), %%xmm17%{%%k5%}", pool, 2);
  __asm__ volatile("kmovq %1, %%k2\n vpgatherdd 1600(%0,%2,4), %%zmm17%{%%k2%}" : : "r"(pool), "r"(0x8006L), "v"(indices) : "memory", "k2", "xmm17");
  __asm__ volatile("kmovq %0, %%k2\n vpgatherqq 0(,%1,1), %%zmm17%{%%k2%}" : : "r"(0x82L), "v"(addresses) : "memory", "k2", "xmm17");
}

__attribute__((noinline)) static int direct(char *pool) {
  char bytes[64];
  memset(bytes, 7, sizeof bytes);
  __asm__ volatile("movdir64b (%1), %0" : : "r"(pool + 2560), "r"(bytes) : "memory");
  __asm__ volatile("sub $64, %%rsp\n movq $9, (%%rsp)\n movdir64b (%%rsp), %0\n add $64, %%rsp" : : "r"(pool + 2624) : "memory", "cc");
  __asm__ volatile("movdir64b 64(%0), %1" : : "r"(pool + 2560), "r"(pool + 2688) : "memory");
  __asm__ volatile("movdiri %1, (%0)" : : "r"(pool + 2752), "r"(5) : "memory");
  return pool[2623] == 7 && pool[2688] == 9 && pool[2752] == 5;
}

int main(int count, char **words) {
  int fd = open(words[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (count < 3 || ftruncate(fd, 8192) != 0) return 1;
  char *pool = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (strcmp(words[2], "stores") == 0) return stores(pool) ? 0 : 2;
  if (strcmp(words[2], "loads") == 0) loads(pool);
  return strcmp(words[2], "direct") == 0 && !direct(pool) ? 3 : 0;
}
