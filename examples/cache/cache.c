/* A cache in persistent memory that speaks a part of memcached's text protocol: set, add, replace, append, prepend, get, incr, decr, delete.
 * An example of `perdure fuzz --socket`.
 *
 *   cache POOL PORT      serves 127.0.0.1:PORT, a thread for each connection, until SIGTERM
 *   cache POOL recover   what the program does after a crash
 *
 * Its bug, in the shape of bugs 9 and 10 of the PMRace paper: an item is unlocked before it is persistent, so that append, prepend, incr and
 * decr of other threads make new values of a value that a crash takes back. -DFIXED builds it without. */
#include <arpa/inet.h>
#include <ctype.h>
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE = 64, BUCKETS = 64, SLOTS = 4, KEY_BYTES = 32, VALUE_BYTES = 80, MOST_WORDS = 6 };

struct item {
  _Alignas(LINE) char key[KEY_BYTES]; /* empty: free */
  uint32_t length;
  char value[VALUE_BYTES];
};

struct pool {
  struct item item[BUCKETS][SLOTS];
};

static struct pool *pool;
static pthread_mutex_t lock[BUCKETS];

static void persist(const void *address, size_t length) {
  for (uintptr_t line = (uintptr_t)address & -(uintptr_t)LINE; line < (uintptr_t)address + length; line += LINE) {
    _mm_clflush((const void *)line);
  }
  _mm_sfence();
}

static unsigned bucket_of(const char *key) {
  unsigned hash = 5381;
  for (; *key != 0; key++) {
    hash = hash * 33 + (unsigned char)*key;
  }
  return hash % BUCKETS;
}

static struct item *find(unsigned bucket, const char *key) {
  for (int i = 0; i < SLOTS; i++) {
    if (strncmp(pool->item[bucket][i].key, key, KEY_BYTES) == 0) {
      return &pool->item[bucket][i];
    }
  }
  return NULL;
}

/* Unlocks a bucket in which an item was changed, or none. */
static void finish(unsigned bucket, struct item *changed) {
#ifdef FIXED
  if (changed != NULL) {
    persist(changed, sizeof *changed);
  }
#endif
  pthread_mutex_unlock(&lock[bucket]);
  if (changed != NULL) {
    persist(changed, sizeof *changed);
  }
}

static bool write_value(struct item *item, const char *bytes, size_t length) {
  if (length > VALUE_BYTES) {
    return false;
  }
  memcpy(item->value, bytes, length);
  item->length = (uint32_t)length;
  return true;
}

/* A new item gets its key when its value is persistent. */
static struct item *make(unsigned bucket, const char *key, const char *bytes, size_t length) {
  struct item *item = find(bucket, "");
  if (item == NULL || !write_value(item, bytes, length)) {
    return NULL;
  }
  persist(item, sizeof *item);
  strncpy(item->key, key, KEY_BYTES);
  return item;
}

static bool extend(struct item *item, const char *bytes, size_t length, bool in_front) {
  char whole[2 * VALUE_BYTES];
  memcpy(in_front ? whole : whole + item->length, bytes, length);
  memcpy(in_front ? whole + length : whole, item->value, item->length);
  return write_value(item, whole, item->length + length);
}

static const char *store(const char *command, const char *key, const char *bytes, size_t length) {
  unsigned bucket = bucket_of(key);
  pthread_mutex_lock(&lock[bucket]);
  struct item *item = find(bucket, key);
  bool set = strcmp(command, "set") == 0, append = strcmp(command, "append") == 0, prepend = strcmp(command, "prepend") == 0;
  const char *answer = "STORED\r\n";
  if (!set && (item == NULL) != (strcmp(command, "add") == 0)) {
    answer = "NOT_STORED\r\n";
    item = NULL;
  } else if (item == NULL) {
    item = make(bucket, key, bytes, length);
    answer = item != NULL ? answer : "SERVER_ERROR out of memory storing object\r\n";
  } else if (!(append || prepend ? extend(item, bytes, length, prepend) : write_value(item, bytes, length))) {
    answer = "SERVER_ERROR object too large for cache\r\n";
    item = NULL;
  }
  finish(bucket, item);
  return answer;
}

static void get(const char *key, char *answer, size_t room) {
  unsigned bucket = bucket_of(key);
  pthread_mutex_lock(&lock[bucket]);
  struct item *item = find(bucket, key);
  if (item != NULL) {
    snprintf(answer, room, "VALUE %s 0 %u\r\n%.*s\r\nEND\r\n", key, item->length, (int)item->length, item->value);
  } else {
    snprintf(answer, room, "END\r\n");
  }
  finish(bucket, NULL);
}

static void count(const char *key, long long by, char *answer, size_t room) {
  unsigned bucket = bucket_of(key);
  pthread_mutex_lock(&lock[bucket]);
  struct item *item = find(bucket, key);
  if (item == NULL) {
    snprintf(answer, room, "NOT_FOUND\r\n");
  } else if (!isdigit((unsigned char)item->value[0])) {
    snprintf(answer, room, "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n");
    item = NULL;
  } else {
    char digits[VALUE_BYTES + 1] = "";
    memcpy(digits, item->value, item->length);
    unsigned long long old = strtoull(digits, NULL, 10);
    unsigned long long now = by < 0 && old < (unsigned long long)-by ? 0 : old + (unsigned long long)by;
    write_value(item, digits, (size_t)snprintf(digits, sizeof digits, "%llu", now));
    snprintf(answer, room, "%s\r\n", digits);
  }
  finish(bucket, item);
}

static const char *remove_item(const char *key) {
  unsigned bucket = bucket_of(key);
  pthread_mutex_lock(&lock[bucket]);
  struct item *item = find(bucket, key);
  if (item != NULL) {
    item->key[0] = 0;
  }
  finish(bucket, item);
  return item != NULL ? "DELETED\r\n" : "NOT_FOUND\r\n";
}

static bool is_store(const char *word) {
  static const char *const stores[] = {"set", "add", "replace", "append", "prepend"};
  for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
    if (strcmp(word, stores[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* Reads what belongs to the command, and answers it. */
static void obey(char **words, int n, FILE *client, char *answer, size_t room) {
  if (n >= 5 && is_store(words[0])) {
    char bytes[VALUE_BYTES + 3];
    size_t length = strtoul(words[4], NULL, 10);
    if (length > VALUE_BYTES || fread(bytes, 1, length + 2, client) != length + 2 || bytes[length] != '\r') {
      snprintf(answer, room, "CLIENT_ERROR bad data chunk\r\n");
    } else {
      snprintf(answer, room, "%s", store(words[0], words[1], bytes, length));
    }
  } else if (n == 2 && strcmp(words[0], "get") == 0) {
    get(words[1], answer, room);
  } else if (n == 3 && (strcmp(words[0], "incr") == 0 || strcmp(words[0], "decr") == 0)) {
    long long by = strtoll(words[2], NULL, 10);
    count(words[1], words[0][0] == 'i' ? by : -by, answer, room);
  } else if (n == 2 && strcmp(words[0], "delete") == 0) {
    snprintf(answer, room, "%s", remove_item(words[1]));
  } else {
    snprintf(answer, room, "ERROR\r\n");
  }
}

static void *serve(void *argument) {
  FILE *client = fdopen((int)(intptr_t)argument, "r");
  char line[256], answer[256];
  while (client != NULL && fgets(line, sizeof line, client) != NULL) {
    char *words[MOST_WORDS], *rest;
    int n = 0;
    for (char *word = strtok_r(line, " \r\n", &rest); word != NULL && n < MOST_WORDS; word = strtok_r(NULL, " \r\n", &rest)) {
      words[n++] = word;
    }
    if (n > 1 && strlen(words[1]) >= KEY_BYTES) {
      n = 0;
    }
    obey(words, n, client, answer, sizeof answer);
    if (send(fileno(client), answer, strlen(answer), MSG_NOSIGNAL) < 0) {
      break;
    }
  }
  if (client != NULL) {
    fclose(client);
  }
  return NULL;
}

static void *accept_all(void *argument) {
  int listener = (int)(intptr_t)argument;
  for (;;) {
    pthread_t thread;
    int client = accept(listener, NULL, NULL);
    if (client < 0 || pthread_create(&thread, NULL, serve, (void *)(intptr_t)client) != 0) {
      perror("cache");
      exit(1);
    }
    pthread_detach(thread);
  }
}

static int listen_on(const char *port) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0) {
    perror("cache");
    exit(1);
  }
  return listener;
}

/* A value that is longer than its room was never stored. */
static int recover(void) {
  for (struct item *item = &pool->item[0][0]; item < &pool->item[BUCKETS][0]; item++) {
    if (item->key[0] != 0 && item->length > VALUE_BYTES) {
      fprintf(stderr, "cache: '%.*s' has a broken value\n", KEY_BYTES, item->key);
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  int fd = argc == 3 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
  if (fd < 0 || ftruncate(fd, sizeof *pool) != 0) {
    fputs("usage: cache POOL PORT|recover\n", stderr);
    return 2;
  }
  pool = mmap(NULL, sizeof *pool, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pool == MAP_FAILED) {
    perror("cache");
    return 1;
  }
  if (strcmp(argv[2], "recover") == 0) {
    return recover();
  }
  for (int i = 0; i < BUCKETS; i++) {
    pthread_mutex_init(&lock[i], NULL);
  }
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, NULL);
  pthread_t acceptor;
  int number;
  if (pthread_create(&acceptor, NULL, accept_all, (void *)(intptr_t)listen_on(argv[2])) != 0) {
    return 1;
  }
  sigwait(&ends, &number);
  return 0;
}
