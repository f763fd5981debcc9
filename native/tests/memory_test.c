#include "harness.h"
#include <pthread.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char *pm;

/* The store that was recorded next must have these bytes at this offset. */
static size_t next_store, next_load;
static void expectStore(const struct run *run, uint64_t offset, const void *bytes, size_t length) {
  const struct event *e = event_of(run, PERDURE_EV_STORE_BLOCK, next_store++);
  CHECK_EQUAL(event_of(run, PERDURE_EV_MAP, 0)->addr + offset, e->addr);
  CHECK_EQUAL(length, e->value);
  CHECK(memcmp(bytes, e->payload, length) == 0);
}
static void expectLoad(const struct run *run, uint64_t offset, size_t length) {
  const struct event *e = event_of(run, PERDURE_EV_LOAD_BLOCK, next_load++);
  CHECK_EQUAL(event_of(run, PERDURE_EV_MAP, 0)->addr + offset, e->addr);
  CHECK_EQUAL(length, e->value);
}
static void expectNoMore(const struct run *run) {
  CHECK_EQUAL(next_store, count_of(run, PERDURE_EV_STORE_BLOCK));
  CHECK_EQUAL(next_load, count_of(run, PERDURE_EV_LOAD_BLOCK));
}
static void begin(struct run *run, const char *act) {
  next_store = next_load = 0;
  perform(run, act, (struct options){.ring_slots = 65536});
  EXITED_WELL(*run);
}

static void copyAround(void) {
  char ordinary[64] = "0123456789", big[10000];
  pm = map_pm("memory", 65536);
  memcpy(pm, ordinary, 10);
  CHECK(memmove(pm + 4, pm, 10) == pm + 4 && memcmp(pm + 4, ordinary, 10) == 0);
  memset(pm + 100, 'z', 5);
  CHECK(mempcpy(pm + 200, "abc", 3) == pm + 203);
  bcopy("xy", pm + 210, 2);
  bzero(pm + 220, 3);
  wmemset((wchar_t *)(pm + 240), L'w', 2);
  memcpy(ordinary, pm, 4);
  memset(big, 'b', sizeof big);
  memcpy(pm + 1000, big, sizeof big);
  memcpy(big, ordinary, 20);
  CHECK(pm[100] == 'z' && pm[220] == 0 && pm[10999] == 'b');
}

static void shouldRecordCopiesAndFills(void) {
  struct run run;
  char big[PERDURE_BLOCK_MAX];
  wchar_t wide[2] = {L'w', L'w'};
  memset(big, 'b', sizeof big);
  begin(&run, "copyAround");
  expectStore(&run, 0, "0123456789", 10);
  expectStore(&run, 4, "0123456789", 10);
  expectLoad(&run, 0, 10);
  expectLoad(&run, 4, 10);
  expectStore(&run, 100, "zzzzz", 5);
  expectStore(&run, 200, "abc", 3);
  expectStore(&run, 210, "xy", 2);
  expectStore(&run, 220, "\0\0\0", 3);
  expectStore(&run, 240, wide, sizeof wide);
  expectLoad(&run, 0, 4);
  expectStore(&run, 1000, big, PERDURE_BLOCK_MAX);
  expectStore(&run, 1000 + PERDURE_BLOCK_MAX, big, PERDURE_BLOCK_MAX);
  expectStore(&run, 1000 + 2 * PERDURE_BLOCK_MAX, big, 10000 - 2 * PERDURE_BLOCK_MAX);
  expectNoMore(&run);
  done(&run);
}

static void useStrings(void) {
  pm = map_pm("memory", 65536);
  CHECK(strcpy(pm, "hello") == pm);
  CHECK(stpcpy(pm + 100, "end") == pm + 103);
  strncpy(pm + 200, "ab", 5);
  strcat(pm, " you");
  strncat(pm, "!!", 1);
  CHECK(strlen(pm) == 10 && strcmp(pm, "hello you!") == 0);
  CHECK(strncmp(pm, "help", 4) < 0);
  CHECK(strchr(pm, 'l') == pm + 2 && strchr(pm, 'q') == NULL);
  CHECK(strrchr(pm, 'o') == pm + 7);
  CHECK(strstr(pm, "you") == pm + 6);
  CHECK(memchr(pm, 'e', 100) == pm + 1);
  CHECK(strcasecmp(pm, "HELLO me") > 0);
  char *copy = strdup(pm);
  CHECK(strcmp(copy, "hello you!") == 0);
  CHECK(strnlen(pm, 4) == 4);
  free(copy);
}

static void shouldRecordStringFunctions(void) {
  struct run run;
  begin(&run, "useStrings");
  expectStore(&run, 0, "hello", 6);
  expectStore(&run, 100, "end", 4);
  expectStore(&run, 200, "ab", 2);
  expectStore(&run, 202, "\0\0\0", 3);
  expectLoad(&run, 0, 6);
  expectStore(&run, 5, " you", 5);
  expectLoad(&run, 0, 10);
  expectStore(&run, 9, "!", 1);
  expectStore(&run, 10, "", 1);
  expectLoad(&run, 0, 11);
  expectLoad(&run, 0, 11);
  expectLoad(&run, 0, 4);
  expectLoad(&run, 0, 3);
  expectLoad(&run, 0, 11);
  expectLoad(&run, 0, 11);
  expectLoad(&run, 0, 9);
  expectLoad(&run, 0, 2);
  expectLoad(&run, 0, 7);
  expectLoad(&run, 0, 11);
  expectLoad(&run, 0, 4);
  expectNoMore(&run);
  done(&run);
}

static int byValue(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static void sortAndCut(void) {
  char text[20], *rest, *made;
  pm = map_pm("memory", 65536);
  strcpy(pm, "dacb");
  qsort(pm, 4, 1, byValue);
  strcpy(pm + 10, " one,two");
  CHECK(strtok_r(pm + 10, " ,", &rest) == pm + 11 && strcmp(strtok_r(NULL, " ,", &rest), "two") == 0);
  CHECK(strtok_r(NULL, " ,", &rest) == NULL);
  strcpy(pm + 30, "170x");
  CHECK(atoi(pm + 30) == 170 && strtoul(pm + 30, &rest, 8) == 0170 && rest == pm + 33);
  CHECK(snprintf(text, sizeof text, "%5.1f%-*d%%%.2s%s", 1.5, 3, 7, pm + 30, pm) == 15);
  CHECK(asprintf(&made, "%s %ld %s", "no", 5L, pm + 31) == 8);
  clock_gettime(CLOCK_REALTIME, (struct timespec *)(pm + 64));
}

static void shouldRecordWhatLibcSortsCutsAndPrints(void) {
  struct run run;
  begin(&run, "sortAndCut");
  expectStore(&run, 0, "dacb", 5);
  expectLoad(&run, 0, 4);
  expectStore(&run, 0, "abcd", 4);
  expectStore(&run, 10, " one,two", 9);
  expectLoad(&run, 10, 2);
  expectLoad(&run, 11, 4);
  expectStore(&run, 14, "", 1);
  expectLoad(&run, 15, 1);
  expectLoad(&run, 15, 4);
  expectLoad(&run, 15, 4);
  expectLoad(&run, 18, 1);
  expectLoad(&run, 18, 1);
  expectStore(&run, 30, "170x", 5);
  expectLoad(&run, 30, 4);
  expectLoad(&run, 30, 4);
  expectLoad(&run, 30, 2);
  expectLoad(&run, 0, 5);
  expectLoad(&run, 31, 4);
  CHECK_EQUAL(event_of(&run, PERDURE_EV_MAP, 0)->addr + 64, event_of(&run, PERDURE_EV_STORE_BLOCK, next_store)->addr);
  CHECK_EQUAL(sizeof(struct timespec), event_of(&run, PERDURE_EV_STORE_BLOCK, next_store++)->value);
  expectNoMore(&run);
  done(&run);
}

static void useFiles(void) {
  pm = map_pm("memory", 65536);
  int pipe_ends[2], pair[2];
  CHECK(pipe(pipe_ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  CHECK(write(pipe_ends[1], "12345", 5) == 5);
  CHECK(read(pipe_ends[0], pm, 100) == 5);
  CHECK(write(pipe_ends[1], pm, 3) == 3);
  struct iovec parts[2] = {{pm + 10, 2}, {pm + 20, 9}};
  CHECK(readv(pipe_ends[0], parts, 2) == 3);
  CHECK(send(pair[0], pm, 4, 0) == 4);
  CHECK(recv(pair[1], pm + 30, 100, 0) == 4);
  FILE *file = tmpfile();
  CHECK(fwrite(pm, 1, 5, file) == 5 && fputs("\nline\n", file) >= 0);
  rewind(file);
  CHECK(fread(pm + 40, 1, 6, file) == 6);
  CHECK(fgets(pm + 50, 100, file) == pm + 50 && strncmp(pm + 50, "line\n", 5) == 0);
  CHECK(pread(fileno(file), pm + 60, 2, 1) == 2);
  CHECK(sprintf(pm + 70, "%d-%s", 42, "x") == 4);
  CHECK(snprintf(pm + 80, 3, "%s", "cut off") == 7 && pm[82] == 0);
  CHECK(read(pipe_ends[0], NULL, 0) == 0);
}

static void shouldRecordInputAndOutput(void) {
  struct run run;
  begin(&run, "useFiles");
  expectStore(&run, 0, "12345", 5);
  expectLoad(&run, 0, 3);
  expectStore(&run, 10, "12", 2);
  expectStore(&run, 20, "3", 1);
  expectLoad(&run, 0, 4);
  expectStore(&run, 30, "1234", 4);
  expectLoad(&run, 0, 5);
  expectStore(&run, 40, "12345\n", 6);
  expectStore(&run, 50, "line\n", 6);
  expectLoad(&run, 50, 5);
  expectStore(&run, 60, "23", 2);
  expectStore(&run, 70, "42-x", 5);
  expectStore(&run, 80, "cu", 3);
  expectNoMore(&run);
  done(&run);
}

static void scanTexts(void) {
  pm = map_pm("memory", 65536);
  FILE *file = tmpfile();
  CHECK(fwrite("a\0b\n7 z", 1, 7, file) == 7);
  rewind(file);
  CHECK(fgets(pm, 100, file) == pm && memcmp(pm, "a\0b\n", 5) == 0);
  CHECK(fscanf(file, "%hd %c", (short *)(pm + 10), pm + 20) == 2);
  strcpy(pm + 30, "1 two 3.5 x");
  CHECK(sscanf(pm + 30, "%*d %9[a-z]%% %lf", pm + 50, (double *)(pm + 64)) == 1);
  CHECK(sscanf("3.5 x", "%lf %d", (double *)(pm + 64), (int *)(pm + 80)) == 1);
  CHECK(fputs(pm + 50, file) >= 0 && puts(pm + 50) >= 0);
  char *line = pm + 100;
  size_t room = 50;
  rewind(file);
  CHECK(getline(&line, &room, file) == 4 && line == pm + 100);
  CHECK(getdelim(&line, &room, 'z', file) == 3 && line[2] == 'z');
}

static void shouldRecordWhatScansReadAndLeave(void) {
  struct run run;
  double number = 3.5;
  short seven = 7;
  begin(&run, "scanTexts");
  expectStore(&run, 0, "a\0b\n", 5);
  expectLoad(&run, 0, 5);
  expectStore(&run, 10, &seven, sizeof seven);
  expectStore(&run, 20, "z", 1);
  expectStore(&run, 30, "1 two 3.5 x", 12);
  expectLoad(&run, 30, 12);
  expectStore(&run, 50, "two", 4);
  expectStore(&run, 64, &number, sizeof number);
  expectLoad(&run, 50, 4);
  expectLoad(&run, 50, 4);
  expectStore(&run, 100, "a\0b\n", 5);
  expectStore(&run, 100, "7 z", 4);
  expectNoMore(&run);
  done(&run);
}

static volatile bool looking;

static void *lookUntilItIsThere(void *unused) {
  for (uint64_t seen = 0; seen == 0; looking = true) {
    seen = *(volatile uint64_t *)pm;
    __perdure_load(pm, seen, PERDURE_INFO(8, 0), 7);
  }
  return unused;
}

static void readWhileAnotherLooks(void) {
  static char bytes[1 << 20];
  pm = map_pm("memory", sizeof bytes);
  *(volatile uint64_t *)pm = 0;
  memset(bytes, 'x', sizeof bytes);
  FILE *file = tmpfile();
  CHECK(fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes && fflush(file) == 0);
  pthread_t looker;
  pthread_create(&looker, NULL, lookUntilItIsThere, NULL);
  while (!looking) {
    usleep(100);
  }
  CHECK(pread(fileno(file), pm, sizeof bytes, 0) == sizeof bytes);
  pthread_join(looker, NULL);
  CHECK(memcmp(pm, bytes, sizeof bytes) == 0);
}

static void shouldRecordInputBeforeAnyoneCanSeeIt(void) {
  struct run run;
  perform(&run, "readWhileAnotherLooks", (struct options){0});
  EXITED_WELL(run);
  const struct event *input = event_of(&run, PERDURE_EV_STORE_BLOCK, 0);
  for (size_t i = 0; i < run.events.count; i++) {
    const struct event *e = &run.events.all[i];
    CHECK(e->kind != PERDURE_EV_LOAD || e->value == 0 || e->time > input->time);
  }
  done(&run);
}

static void copyByHooks(void) {
  pm = map_pm("memory", 65536);
  __perdure_copy(pm, "abcdef", 6, 1);
  __perdure_move(pm + 2, pm, 4, 2);
  __perdure_fill(pm + 10, 'f', 3, 3);
  CHECK(memcmp(pm, "ababcd", 6) == 0);
  __perdure_flush(pm + 70, PERDURE_FLUSH_CLFLUSHOPT, 4);
  __perdure_fence(PERDURE_FENCE_SFENCE, 5);
  __perdure_store_nt(pm + 64, 0x1234, PERDURE_INFO(2, PERDURE_PLAIN), 6);
}

static void shouldCopyForInstrumentedCode(void) {
  struct run run;
  begin(&run, "copyByHooks");
  expectStore(&run, 0, "abcdef", 6);
  expectStore(&run, 2, "abcd", 4);
  expectLoad(&run, 0, 4);
  expectStore(&run, 10, "fff", 3);
  expectLoad(&run, 0, 6);
  expectNoMore(&run);
  const struct event *flush = event_of(&run, PERDURE_EV_FLUSH, 0);
  CHECK_EQUAL(PERDURE_FLUSH_CLFLUSHOPT, flush->info);
  CHECK_EQUAL(4, flush->site);
  CHECK_EQUAL(1, flush->value);
  CHECK_EQUAL(5, event_of(&run, PERDURE_EV_FENCE, 0)->site);
  CHECK_EQUAL(0x1234, event_of(&run, PERDURE_EV_STORE_NT, 0)->value);
  CHECK_EQUAL(2, event_of(&run, PERDURE_EV_STORE_NT, 0)->info);
  done(&run);
}

const struct named TESTS[] = {
    {"shouldRecordCopiesAndFills", shouldRecordCopiesAndFills},
    {"shouldRecordStringFunctions", shouldRecordStringFunctions},
    {"shouldRecordWhatLibcSortsCutsAndPrints", shouldRecordWhatLibcSortsCutsAndPrints},
    {"shouldRecordInputAndOutput", shouldRecordInputAndOutput},
    {"shouldRecordWhatScansReadAndLeave", shouldRecordWhatScansReadAndLeave},
    {"shouldRecordInputBeforeAnyoneCanSeeIt", shouldRecordInputBeforeAnyoneCanSeeIt},
    {"shouldCopyForInstrumentedCode", shouldCopyForInstrumentedCode},
    {NULL, NULL},
};
const struct named ACTS[] = {
    {"copyAround", copyAround}, {"useStrings", useStrings}, {"sortAndCut", sortAndCut}, {"useFiles", useFiles}, {"scanTexts", scanTexts}, {"readWhileAnotherLooks", readWhileAnotherLooks}, {"copyByHooks", copyByHooks}, {NULL, NULL}};
