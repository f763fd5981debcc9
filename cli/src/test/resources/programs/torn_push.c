/* A stack that forgets to flush: the new node before it is linked, and the head. */
#include <fcntl.h>
#include <perdure.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

struct node {
  uint64_t value;
  struct node *next;
};

struct stack {
  struct node *top;
  struct node node[8];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used;

static struct node *new_node(struct stack *s) {
  struct node *n = &s->node[used++];
  PERDURE_ALLOC(n, sizeof *n);
  return n;
}

static void push(struct stack *s, uint64_t value) {
  pthread_mutex_lock(&lock);
  struct node *n = new_node(s);
  n->value = value;
  n->next = s->top;
  __asm__ volatile("clwb %0" : "+m"(n->next));
  s->top = n;
  pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
  int fd = open(argv[argc - 1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(struct stack)) != 0) return 1;
  struct stack *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (s == MAP_FAILED) return 1;
  push(s, 1);
  return 0;
}
