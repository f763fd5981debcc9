/* Input into PM and output from it. Input arrives in a room beside it first: then it is a store that is recorded before it takes effect, as
 * every other. What finds no room there is recorded after it has arrived. */
#include "bytes.h"
#include "file_writes.h"
#include "libc_memory.h"
#include "library_changes.h"
#include "real.h"
#include "stream_writes.h"
#include "system.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fread_unlocked
#undef fwrite_unlocked

static inline ssize_t received(ssize_t count, void *to) {
  if (count > 0 && unlikely(touches(to, (size_t)count))) {
    emit_store(to, to, (size_t)count);
  }
  return count;
}

#define MOST_ARRIVALS 16

struct arrival {
  void *to, *at; /* the room beside, or `to` itself */
  size_t length;
};

static COLD void find_room_beside(struct arrival *arrival) {
  long room = SYSTEM6(SYS_mmap, 0, arrival->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!system_failed(room)) {
    arrival->at = (void *)room;
  }
}

static inline struct arrival begin_arrival(void *to, size_t length) {
  struct arrival arrival = {to, to, length};
  if (unlikely(touches(to, length)) && length > 0) {
    find_room_beside(&arrival);
  }
  return arrival;
}

/* Also when the thread is cancelled while it waits for input. */
static inline void end_arrival(struct arrival *arrival) {
  if (unlikely(arrival->at != arrival->to)) {
    SYSTEM(SYS_munmap, arrival->at, arrival->length, 0);
  }
}
#define ARRIVAL(to, length) __attribute__((cleanup(end_arrival))) struct arrival arrival = begin_arrival(to, length)

static COLD void move_from_room_beside(const struct arrival *arrival, size_t count) {
  emit_store(arrival->to, arrival->at, count);
  copy_bytes(arrival->to, arrival->at, count);
}

/* Datagrams may be longer than the room for them. */
static inline ssize_t arrived(const struct arrival *arrival, ssize_t count) {
  if (count > 0) {
    size_t here = (size_t)count < arrival->length ? (size_t)count : arrival->length;
    if (likely(arrival->at == arrival->to)) {
      received((ssize_t)here, arrival->to);
    } else {
      move_from_room_beside(arrival, here);
    }
  }
  return count;
}

/* Input into several parts. */
struct arrivals {
  size_t n;
  struct arrival part[MOST_ARRIVALS];
  struct iovec at[MOST_ARRIVALS];
};

static void begin_arrivals(struct arrivals *all, const struct iovec *parts, size_t n) {
  for (all->n = 0; all->n < n; all->n++) {
    struct arrival part = begin_arrival(parts[all->n].iov_base, parts[all->n].iov_len);
    all->part[all->n] = part;
    all->at[all->n] = (struct iovec){part.at, part.length};
  }
}

static void end_arrivals(struct arrivals *all) {
  for (size_t i = 0; i < all->n; i++) {
    end_arrival(&all->part[i]);
  }
}

static ssize_t arrived_in_parts(const struct arrivals *all, ssize_t count) {
  size_t left = count > 0 ? (size_t)count : 0;
  for (size_t i = 0; i < all->n && left > 0; i++) {
    size_t here = all->part[i].length < left ? all->part[i].length : left;
    arrived(&all->part[i], (ssize_t)here);
    left -= here;
  }
  return count;
}

static bool parts_touch(const struct iovec *parts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (unlikely(touches(parts[i].iov_base, parts[i].iov_len))) {
      return n <= MOST_ARRIVALS;
    }
  }
  return false;
}
#define ARRIVALS(parts, n)                                                                                                                 \
  __attribute__((cleanup(end_arrivals))) struct arrivals arrivals;                                                                         \
  begin_arrivals(&arrivals, parts, n)

static inline ssize_t sent(ssize_t count, const void *from) {
  if (count > 0 && unlikely(touches(from, (size_t)count))) {
    emit_load(from, (size_t)count);
  }
  return count;
}

static ssize_t received_parts(ssize_t count, const struct iovec *parts, size_t n) {
  size_t left = count > 0 ? (size_t)count : 0;
  for (size_t i = 0; i < n && left > 0; i++) {
    size_t here = parts[i].iov_len < left ? parts[i].iov_len : left;
    received((ssize_t)here, parts[i].iov_base);
    left -= here;
  }
  return count;
}

static ssize_t sent_parts(ssize_t count, const struct iovec *parts, size_t n) {
  size_t left = count > 0 ? (size_t)count : 0;
  for (size_t i = 0; i < n && left > 0; i++) {
    size_t here = parts[i].iov_len < left ? parts[i].iov_len : left;
    sent((ssize_t)here, parts[i].iov_base);
    left -= here;
  }
  return count;
}

REAL(read);
EXPORT ssize_t read(int fd, void *to, size_t room) {
  library_changes_touch(to, room);
  ARRIVAL(to, room);
  return arrived(&arrival, read_at(fd, -1, CALL(read)(fd, arrival.at, room)));
}

REAL(pread);
EXPORT ssize_t pread(int fd, void *to, size_t room, off_t offset) {
  library_changes_touch(to, room);
  ARRIVAL(to, room);
  return arrived(&arrival, read_at(fd, offset, CALL(pread)(fd, arrival.at, room, offset)));
}
EXPORT ssize_t pread64(int fd, void *to, size_t room, off_t offset) { return pread(fd, to, room, offset); }

REAL(readv);
EXPORT ssize_t readv(int fd, const struct iovec *parts, int n) {
  if (likely(n <= 0 || !parts_touch(parts, (size_t)n))) {
    return received_parts(read_at(fd, -1, CALL(readv)(fd, parts, n)), parts, n > 0 ? (size_t)n : 0);
  }
  ARRIVALS(parts, (size_t)n);
  return arrived_in_parts(&arrivals, read_at(fd, -1, CALL(readv)(fd, arrivals.at, n)));
}

REAL(preadv);
EXPORT ssize_t preadv(int fd, const struct iovec *parts, int n, off_t offset) {
  if (likely(n <= 0 || !parts_touch(parts, (size_t)n))) {
    return received_parts(read_at(fd, offset, CALL(preadv)(fd, parts, n, offset)), parts, n > 0 ? (size_t)n : 0);
  }
  ARRIVALS(parts, (size_t)n);
  return arrived_in_parts(&arrivals, read_at(fd, offset, CALL(preadv)(fd, arrivals.at, n, offset)));
}
EXPORT ssize_t preadv64(int fd, const struct iovec *parts, int n, off_t offset) { return preadv(fd, parts, n, offset); }

REAL(recv);
EXPORT ssize_t recv(int fd, void *to, size_t room, int flags) {
  library_changes_touch(to, room);
  ARRIVAL(to, room);
  return arrived(&arrival, CALL(recv)(fd, arrival.at, room, flags));
}

REAL(recvfrom);
EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *restrict length) {
  ARRIVAL(to, room);
  return arrived(&arrival, CALL(recvfrom)(fd, arrival.at, room, flags, from, length));
}

REAL(recvmsg);
EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  if (likely(!parts_touch(message->msg_iov, message->msg_iovlen))) {
    return received_parts(CALL(recvmsg)(fd, message, flags), message->msg_iov, message->msg_iovlen);
  }
  ARRIVALS(message->msg_iov, message->msg_iovlen);
  struct iovec *parts = message->msg_iov;
  message->msg_iov = arrivals.at;
  ssize_t count = CALL(recvmsg)(fd, message, flags);
  message->msg_iov = parts;
  return arrived_in_parts(&arrivals, count);
}

REAL(write);
EXPORT ssize_t write(int fd, const void *from, size_t length) { return sent(wrote(fd, CALL(write)(fd, from, length)), from); }

REAL(pwrite);
EXPORT ssize_t pwrite(int fd, const void *from, size_t length, off_t offset) {
  return sent(wrote_at(fd, offset, CALL(pwrite)(fd, from, length, offset)), from);
}
EXPORT ssize_t pwrite64(int fd, const void *from, size_t length, off_t offset) {
  return pwrite(fd, from, length, offset);
}

REAL(writev);
EXPORT ssize_t writev(int fd, const struct iovec *parts, int n) {
  return sent_parts(wrote(fd, CALL(writev)(fd, parts, n)), parts, (size_t)n);
}

REAL(pwritev);
EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t offset) {
  return sent_parts(wrote_at(fd, offset, CALL(pwritev)(fd, parts, n, offset)), parts, (size_t)n);
}
EXPORT ssize_t pwritev64(int fd, const struct iovec *parts, int n, off_t offset) { return pwritev(fd, parts, n, offset); }

REAL(send);
EXPORT ssize_t send(int fd, const void *from, size_t length, int flags) { return sent(CALL(send)(fd, from, length, flags), from); }

REAL(sendto);
EXPORT ssize_t sendto(int fd, const void *from, size_t length, int flags, __CONST_SOCKADDR_ARG to, socklen_t to_length) {
  return sent(CALL(sendto)(fd, from, length, flags, to, to_length), from);
}

REAL(sendmsg);
EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  return sent_parts(CALL(sendmsg)(fd, message, flags), message->msg_iov, message->msg_iovlen);
}

REAL(fread);
EXPORT size_t fread(void *restrict to, size_t size, size_t n, FILE *restrict stream) {
  ARRIVAL(to, size * n);
  size_t done = CALL(fread)(arrival.at, size, n, stream);
  arrived(&arrival, (ssize_t)(done * size));
  stream_read(stream);
  return done;
}

REAL(fread_unlocked);
EXPORT size_t fread_unlocked(void *restrict to, size_t size, size_t n, FILE *restrict stream) {
  ARRIVAL(to, size * n);
  size_t done = CALL(fread_unlocked)(arrival.at, size, n, stream);
  arrived(&arrival, (ssize_t)(done * size));
  stream_read(stream);
  return done;
}

REAL(fwrite);
EXPORT size_t fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict stream) {
  size_t done = CALL(fwrite)(from, size, n, stream);
  sent((ssize_t)(done * size), from);
  return done;
}

REAL(fwrite_unlocked);
EXPORT size_t fwrite_unlocked(const void *restrict from, size_t size, size_t n, FILE *restrict stream) {
  size_t done = CALL(fwrite_unlocked)(from, size, n, stream);
  sent((ssize_t)(done * size), from);
  return done;
}

/* A line may have zeros inside; the room beside was all zeros before. */
static char *arrived_line(const struct arrival *arrival, const char *line) {
  if (line == NULL || likely(!touches_text(arrival->to))) {
    return line != NULL ? arrival->to : NULL;
  }
  size_t length = size_of_text(line);
  if (arrival->at == arrival->to) {
    emit_store(arrival->to, line, length);
    return arrival->to;
  }
  if (length < 2 || line[length - 2] != '\n') {
    length = arrival->length;
    while (length > 1 && line[length - 2] == 0) {
      length--;
    }
  }
  move_from_room_beside(arrival, length);
  return arrival->to;
}

static size_t room_of_line(int room) { return room > 0 ? (size_t)room : 0; }

REAL(fgets);
EXPORT char *fgets(char *restrict to, int room, FILE *restrict stream) {
  ARRIVAL(to, room_of_line(room));
  return arrived_line(&arrival, CALL(fgets)(arrival.at, room, stream));
}

REAL(fputs);
EXPORT int fputs(const char *restrict from, FILE *restrict stream) {
  int result = CALL(fputs)(from, stream);
  text_read(from);
  return result;
}

REAL(puts);
EXPORT int puts(const char *from) {
  int result = CALL(puts)(from);
  text_read(from);
  return result;
}

ssize_t __read_chk(int fd, void *to, size_t length, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t length, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t length, off_t offset, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t length, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *to, size_t length, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *from_length);
size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict stream);
char *__fgets_chk(char *to, size_t size, int room, FILE *stream);

REAL(__read_chk);
EXPORT ssize_t __read_chk(int fd, void *to, size_t length, size_t room) {
  ARRIVAL(to, length);
  return arrived(&arrival, CALL(__read_chk)(fd, arrival.at, length, room));
}

REAL(__pread_chk);
EXPORT ssize_t __pread_chk(int fd, void *to, size_t length, off_t offset, size_t room) {
  ARRIVAL(to, length);
  return arrived(&arrival, CALL(__pread_chk)(fd, arrival.at, length, offset, room));
}
EXPORT ssize_t __pread64_chk(int fd, void *to, size_t length, off_t offset, size_t room) {
  ARRIVAL(to, length);
  return arrived(&arrival, CALL(__pread_chk)(fd, arrival.at, length, offset, room));
}

REAL(__recv_chk);
EXPORT ssize_t __recv_chk(int fd, void *to, size_t length, size_t room, int flags) {
  ARRIVAL(to, length);
  return arrived(&arrival, CALL(__recv_chk)(fd, arrival.at, length, room, flags));
}

REAL(__recvfrom_chk);
EXPORT ssize_t __recvfrom_chk(int fd, void *to, size_t length, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *from_length) {
  ARRIVAL(to, length);
  return arrived(&arrival, CALL(__recvfrom_chk)(fd, arrival.at, length, room, flags, from, from_length));
}

REAL(__fread_chk);
EXPORT size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict stream) {
  ARRIVAL(to, size * n);
  size_t done = CALL(__fread_chk)(arrival.at, room, size, n, stream);
  arrived(&arrival, (ssize_t)(done * size));
  return done;
}

REAL(__fgets_chk);
EXPORT char *__fgets_chk(char *to, size_t size, int room, FILE *stream) {
  ARRIVAL(to, room_of_line(room));
  return arrived_line(&arrival, CALL(__fgets_chk)(arrival.at, size, room, stream));
}
