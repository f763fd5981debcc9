/* Fills its pool with a pattern ("write" then counts in its first page); "recover" looks for spoilt pages, and then spoils the pool itself,
 * each time in another way: whatever it does, the next recovery must find the pool as its image has it. */
#include <fcntl.h>
#include <immintrin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES (5 << 10)
#define SIZE ((size_t)PAGES * PAGE)

static char *map(int fd) {
  char *pm = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pm == MAP_FAILED) {
    exit(8);
  }
  return pm;
}

/* One number for each recovery, from a file beside the pool. */
static int next_way(void) {
  int fd = open("ways", O_RDWR | O_CREAT, 0600);
  char text[16] = "";
  if (read(fd, text, sizeof text - 1) < 0 || lseek(fd, 0, SEEK_SET) != 0) {
    exit(8);
  }
  int way = atoi(text);
  dprintf(fd, "%d\n", way + 1);
  close(fd);
  return way;
}

static void catch_it(int number) {
  (void)number;
  _exit(0);
}

static void spoil(const char *path, int fd, char *pm, int way) {
  char *page = pm + (size_t)(300 + 7 * way) * PAGE;
  struct iovec parts[2] = {{"spoilt", 6}, {"more", 4}};
  switch (way % 16) {
  case 0: page[1] = 'x'; break;
  case 1: memset(page, 'x', 3 * PAGE); break;
  case 2: map(fd)[page - pm] = 'x'; break;
  case 3:
    if (fork() == 0) {
      page[2] = 'x';
      _exit(0);
    }
    wait(NULL);
    break;
  case 4: page[0] = (char)pwrite(fd, "spoilt", 6, 100 * PAGE); break;
  case 5: page[0] = (char)(lseek(fd, 200 * PAGE, SEEK_SET) + writev(fd, parts, 2)); break;
  case 6: exit(ftruncate(fd, PAGE) + ftruncate(fd, SIZE));
  case 7: exit(unlink(path));
  case 8: page[0] = 'x'; raise(SIGKILL); break;
  case 9: page[0] = 'x'; abort();
  case 10:
    mprotect(page, PAGE, PROT_READ);
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    page[5] = 'x';
    break;
  case 11: {
    FILE *stream = fopen(path, "r+");
    fseek(stream, 50 * PAGE, SEEK_SET);
    fputs("spoilt", stream);
    fclose(stream);
    break;
  }
  case 12: fstat(fd, (struct stat *)page); break;
  case 13: exit(chmod(path, 0400));
  case 14: {
    int zero = open("/dev/zero", O_RDONLY);
    exit(read(zero, page, 2 * PAGE) == 2 * PAGE ? 0 : 7);
  }
  case 15:
    signal(SIGSEGV, catch_it);
    mprotect(page, PAGE, PROT_READ);
    page[0] = 'x'; /* the program's own handler is to see this one */
    exit(6);
  }
}

int main(int argc, char **argv) {
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (argc < 3 || ftruncate(fd, SIZE) != 0) {
    return 8;
  }
  char *pm = map(fd), expected[PAGE];
  if (strcmp(argv[2], "fill") == 0) {
    for (size_t i = 1; i < PAGES; i++) {
      memset(pm + i * PAGE, (int)(1 + i % 100), PAGE);
    }
    return 0;
  }
  if (strcmp(argv[2], "write") == 0) {
    for (int i = 0; i < 40; i++) {
      pm[64 * (i % 64)]++;
      _mm_clflush(&pm[64 * (i % 64)]);
    }
    return 0;
  }
  for (size_t i = 1; i < PAGES; i++) {
    memset(expected, (int)(1 + i % 100), PAGE);
    if (memcmp(pm + i * PAGE, expected, PAGE) != 0) {
      return 9;
    }
  }
  spoil(argv[1], fd, pm, next_way());
  return 0;
}
