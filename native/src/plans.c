/* The index has a line for each module: path, tab, plan ("-": none is wanted, "hooks": it observes itself). Its first line is
 * "requests", tab, the socket at which the Java side answers for other modules in the same words. */
#include "plans.h"
#include "system.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#define REQUESTS "requests"
#define ANSWER_BYTES (PATH_MAX + 2)

static char *plan_index;
static size_t index_bytes;
static struct sockaddr_un server;

void *plans_map_file(const char *path, size_t *bytes) {
  struct stat about;
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (system_failed(fd)) {
    return NULL;
  }
  long address = -1;
  if (SYSTEM(SYS_fstat, fd, &about, 0) == 0 && about.st_size > 0) {
    *bytes = (size_t)about.st_size;
    address = SYSTEM6(SYS_mmap, 0, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  }
  SYSTEM(SYS_close, fd, 0, 0);
  return system_failed(address) ? NULL : (void *)address;
}

/* The line of the index that begins with the name; gives what is behind it. */
static bool look_up(const char *name, char *to, size_t room) {
  size_t length = strlen(name);
  const char *line = plan_index, *end = plan_index + index_bytes;
  while (line < end) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL) {
      return false;
    }
    if ((size_t)(stop - line) > length + 1 && memcmp(line, name, length) == 0 && line[length] == '\t') {
      size_t bytes = (size_t)(stop - line) - length - 1;
      if (bytes >= room) {
        return false;
      }
      memcpy(to, line + length + 1, bytes);
      to[bytes] = 0;
      return true;
    }
    line = stop + 1;
  }
  return false;
}

bool plans_open(const char *recording) {
  char path[PATH_MAX + 16];
  size_t length = strlen(recording);
  memcpy(path, recording, length);
  memcpy(path + length, ".plans", sizeof ".plans");
  plan_index = plans_map_file(path, &index_bytes);
  if (plan_index == NULL) {
    return false;
  }
  if (look_up(REQUESTS, server.sun_path, sizeof server.sun_path)) {
    server.sun_family = AF_UNIX;
  }
  return true;
}

static bool send_all(long fd, const char *text, size_t length) {
  while (length > 0) {
    long sent = SYSTEM6(SYS_sendto, fd, text, length, MSG_NOSIGNAL, 0, 0);
    if (sent == -EINTR) {
      continue;
    }
    if (system_failed(sent)) {
      return false;
    }
    text += sent;
    length -= (size_t)sent;
  }
  return true;
}

/* The answer is a line; true if it came whole. */
static bool receive_line(long fd, char *to, size_t room) {
  for (size_t used = 0; used < room;) {
    long got = SYSTEM(SYS_read, fd, to + used, room - used);
    if (got == -EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    used += (size_t)got;
    if (to[used - 1] == '\n') {
      to[used - 1] = 0;
      return true;
    }
  }
  return false;
}

/* Asks the Java side: a word, tab, the rest, newline; waits as long as it works on the answer. */
static bool ask(const char *word, const char *rest, const char *more, char *answer, size_t room) {
  if (server.sun_family == 0 || strpbrk(rest, "\t\n") != NULL) {
    return false;
  }
  long fd = SYSTEM(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (system_failed(fd)) {
    return false;
  }
  long connected;
  do {
    connected = SYSTEM(SYS_connect, fd, &server, sizeof server);
  } while (connected == -EINTR || connected == -EAGAIN);
  bool answered = !system_failed(connected) && send_all(fd, word, strlen(word)) && send_all(fd, "\t", 1) &&
                  send_all(fd, rest, strlen(rest)) && send_all(fd, more, strlen(more)) && send_all(fd, "\n", 1) &&
                  receive_line(fd, answer, room);
  SYSTEM(SYS_close, fd, 0, 0);
  return answered;
}

enum plan_answer plans_find(const char *module, char *file, size_t room) {
  if (!look_up(module, file, room) && !ask("plan", module, "", file, room)) {
    plans_unobserved(module, "no plan for it can be had; it runs unobserved");
    return PLAN_NONE;
  }
  return strcmp(file, "-") == 0 ? PLAN_NONE : strcmp(file, "hooks") == 0 ? PLAN_HOOKS : PLAN_FILE;
}

COLD void plans_unobserved(const char *what, const char *why) {
  char answer[8], detail[256] = ": ";
  size_t length = strlen(why);
  memcpy(detail + 2, why, length < sizeof detail - 3 ? length : sizeof detail - 3);
  if (!ask("unobserved", what, detail, answer, sizeof answer)) {
    perdure_complain(what, why);
  }
}
