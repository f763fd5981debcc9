/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* The header goes to the pool's file through a stream of the C library, which writes it out when it is flushed, and is synchronised
 * before the mark is set through the mapping. Whatever recovery finds the mark in has the header, too. */
#include "litmus.h"
#include <perdure.h>
#include <stddef.h>

struct pool { _Alignas(LINE) uint64_t mark; _Alignas(4096) uint64_t header[2]; };
static struct pool *pm;

static void write_header(const char *path) {
  uint64_t header[2] = {42, ~42ull};
  FILE *file = fopen(path, "r+");
  if (file == NULL || fseek(file, offsetof(struct pool, header), SEEK_SET) != 0) exit(2);
  if (fwrite(header, sizeof header, 1, file) != 1 || fflush(file) != 0 || fsync(fileno(file)) != 0) exit(2);
  fclose(file);
  pm->mark = 1;
  pm_persist(&pm->mark, sizeof pm->mark);
}

static int recover(void) {
  PERDURE_COMMIT_VAR(&pm->mark, sizeof pm->mark);
  return pm->mark == 0 || pm->header[1] == ~pm->header[0] ? 0 : 3;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (strcmp(argv[2], "recover") == 0) return recover();
  PERDURE_COMMIT_VAR(&pm->mark, sizeof pm->mark);
  write_header(argv[1]);
  return 0;
}
