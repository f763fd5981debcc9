/* Loads, stores, flushes and fences of many forms, from stacks of different depths, under a lock and without. The second argument maps the pool
 * at an address of its own, where every access takes the longer way through the runtime. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long sink;

NOINLINE static void forms(char *p, uint64_t value) {
  uint64_t a = 0, b = value;
  __asm__ volatile("movq %1, (%2)\n movl %k1, 8(%2)\n movw %w1, 12(%2)\n movb %b1, 14(%2)\n"
                   "movq $-3, 16(%2)\n movl $-4, 24(%2)\n movw $-5, 28(%2)\n movb $-6, 30(%2)\n"
                   "clflushopt (%2)\n sfence\n"
                   "movq (%2), %0\n movl 8(%2), %k0\n movzwl 12(%2), %k0\n movsbq 14(%2), %0\n movslq 24(%2), %0\n movswl 28(%2), %k0\n"
                   "cmpq %1, (%2)\n sete %b0\n cmpb $7, 14(%2)\n adcq 16(%2), %0\n testw $9, 12(%2)\n seto %b0\n"
                   "movq (%2,%1), %0\n movb %h0, 40(%2)\n movq %%rsp, 48(%2)\n movq $0, 48(%2)\n"
                   "pushq 16(%2)\n popq 56(%2)\n"
                   "addq $5, 64(%2)\n incl 72(%2)\n clwb 64(%2)\n mfence\n"
                   "movnti %1, 80(%2)\n sfence\n"
                   : "+Q"(a), "+r"(b)
                   : "r"(p)
                   : "memory", "cc");
  sink += (long)a;
}

NOINLINE static long under_lock(long *p, long key) {
  pthread_mutex_lock(&mutex);
  long old = p[0];
  p[0] = key;
  p[1] = old;
  for (long *line = p; line < p + 16; line += 8) __asm__ volatile("clwb %0" : "+m"(*line));
  __asm__ volatile("sfence" : : : "memory");
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  old += p[0] + p[1];
  pthread_mutex_unlock(&mutex);
  return old;
}

NOINLINE static void deeper(char *p, int depth) {
  if (depth > 0) {
    deeper(p, depth - 1);
    sink++;
    return;
  }
  forms(p, 8);
  sink += under_lock((long *)(p + 128), 11);
}

int main(int count, char **words) {
  int fd = open(words[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (ftruncate(fd, 4096) != 0) return 1;
  void *at = count > 2 ? (void *)0x10000000000 : NULL;
  char *p = mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | (at != NULL ? MAP_FIXED_NOREPLACE : 0), fd, 0);
  if (p == MAP_FAILED) return 2;
  for (int round = 0; round < 3; round++) {
    for (int depth = 0; depth < 30; depth += 1 + depth / 2) deeper(p, depth);
  }
  return 0;
}
