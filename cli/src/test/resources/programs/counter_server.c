/* A server with one number in persistent memory: "add N" adds to it and answers, for each connection in a thread of its own. The sum is
 * persisted too late: what others add to it meanwhile rests on a number that a crash may take back. "boom" aborts. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile uint64_t *sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(uint64_t number) {
  pthread_mutex_lock(&lock);
  *sum += number;
  pthread_mutex_unlock(&lock);
  _mm_clflush((const void *)sum);
  _mm_sfence();
}

static void *serve(void *argument) {
  FILE *client = fdopen((int)(intptr_t)argument, "r+");
  char line[64];
  while (fgets(line, sizeof line, client) != NULL) {
    if (strncmp(line, "boom", 4) == 0) {
      abort();
    }
    add(strtoul(line + 3, NULL, 10));
    if (write(fileno(client), "ok\n", 3) != 3) {
      break;
    }
  }
  fclose(client);
  return NULL;
}

static void finish(int number) {
  (void)number;
  exit(0);
}

int main(int argc, char **argv) {
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (argc < 3 || fd < 0 || ftruncate(fd, 4096) != 0) {
    return 2;
  }
  sum = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  signal(SIGTERM, finish);
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0) {
    perror("counter_server");
    return 2;
  }
  for (;;) {
    pthread_t thread;
    int client = accept(listener, NULL, NULL);
    if (client >= 0 && pthread_create(&thread, NULL, serve, (void *)(intptr_t)client) == 0) {
      pthread_detach(thread);
    }
  }
}
