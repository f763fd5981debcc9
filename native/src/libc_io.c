/* Input into PM and output from it. What the kernel or a buffer brings is known only afterwards: these stores are recorded
 * after they happened. */
#include "libc_memory.h"
#include "library_changes.h"
#include "real.h"
#include <stdio.h>
#include <string.h>
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
  return received(CALL(read)(fd, to, room), to);
}

REAL(pread);
EXPORT ssize_t pread(int fd, void *to, size_t room, off_t offset) {
  library_changes_touch(to, room);
  return received(CALL(pread)(fd, to, room, offset), to);
}
EXPORT ssize_t pread64(int fd, void *to, size_t room, off_t offset) {
  library_changes_touch(to, room);
  return received(CALL(pread)(fd, to, room, offset), to);
}

REAL(readv);
EXPORT ssize_t readv(int fd, const struct iovec *parts, int n) { return received_parts(CALL(readv)(fd, parts, n), parts, (size_t)n); }

REAL(preadv);
EXPORT ssize_t preadv(int fd, const struct iovec *parts, int n, off_t offset) {
  return received_parts(CALL(preadv)(fd, parts, n, offset), parts, (size_t)n);
}
EXPORT ssize_t preadv64(int fd, const struct iovec *parts, int n, off_t offset) { return preadv(fd, parts, n, offset); }

REAL(recv);
EXPORT ssize_t recv(int fd, void *to, size_t room, int flags) {
  library_changes_touch(to, room);
  return received(CALL(recv)(fd, to, room, flags), to);
}

REAL(recvfrom);
EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *restrict length) {
  return received(CALL(recvfrom)(fd, to, room, flags, from, length), to);
}

REAL(recvmsg);
EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  return received_parts(CALL(recvmsg)(fd, message, flags), message->msg_iov, message->msg_iovlen);
}

REAL(write);
EXPORT ssize_t write(int fd, const void *from, size_t length) { return sent(CALL(write)(fd, from, length), from); }

REAL(pwrite);
EXPORT ssize_t pwrite(int fd, const void *from, size_t length, off_t offset) {
  return sent(CALL(pwrite)(fd, from, length, offset), from);
}
EXPORT ssize_t pwrite64(int fd, const void *from, size_t length, off_t offset) {
  return sent(CALL(pwrite)(fd, from, length, offset), from);
}

REAL(writev);
EXPORT ssize_t writev(int fd, const struct iovec *parts, int n) { return sent_parts(CALL(writev)(fd, parts, n), parts, (size_t)n); }

REAL(pwritev);
EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t offset) {
  return sent_parts(CALL(pwritev)(fd, parts, n, offset), parts, (size_t)n);
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
  size_t done = CALL(fread)(to, size, n, stream);
  received((ssize_t)(done * size), to);
  return done;
}

REAL(fread_unlocked);
EXPORT size_t fread_unlocked(void *restrict to, size_t size, size_t n, FILE *restrict stream) {
  size_t done = CALL(fread_unlocked)(to, size, n, stream);
  received((ssize_t)(done * size), to);
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

static char *got_line(char *line) {
  if (line != NULL && unlikely(touches_text(line))) {
    perdure_self.quiet++;
    size_t length = strlen(line) + 1;
    perdure_self.quiet--;
    emit_store(line, line, length);
  }
  return line;
}

REAL(fgets);
EXPORT char *fgets(char *restrict to, int room, FILE *restrict stream) { return got_line(CALL(fgets)(to, room, stream)); }

REAL(fputs);
EXPORT int fputs(const char *restrict from, FILE *restrict stream) {
  int result = CALL(fputs)(from, stream);
  if (unlikely(touches_text(from))) {
    (void)strlen(from);
  }
  return result;
}

REAL(puts);
EXPORT int puts(const char *from) {
  int result = CALL(puts)(from);
  if (unlikely(touches_text(from))) {
    (void)strlen(from);
  }
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
  return received(CALL(__read_chk)(fd, to, length, room), to);
}

REAL(__pread_chk);
EXPORT ssize_t __pread_chk(int fd, void *to, size_t length, off_t offset, size_t room) {
  return received(CALL(__pread_chk)(fd, to, length, offset, room), to);
}
EXPORT ssize_t __pread64_chk(int fd, void *to, size_t length, off_t offset, size_t room) {
  return received(CALL(__pread_chk)(fd, to, length, offset, room), to);
}

REAL(__recv_chk);
EXPORT ssize_t __recv_chk(int fd, void *to, size_t length, size_t room, int flags) {
  return received(CALL(__recv_chk)(fd, to, length, room, flags), to);
}

REAL(__recvfrom_chk);
EXPORT ssize_t __recvfrom_chk(int fd, void *to, size_t length, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *from_length) {
  return received(CALL(__recvfrom_chk)(fd, to, length, room, flags, from, from_length), to);
}

REAL(__fread_chk);
EXPORT size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict stream) {
  size_t done = CALL(__fread_chk)(to, room, size, n, stream);
  received((ssize_t)(done * size), to);
  return done;
}

REAL(__fgets_chk);
EXPORT char *__fgets_chk(char *to, size_t size, int room, FILE *stream) { return got_line(CALL(__fgets_chk)(to, size, room, stream)); }
