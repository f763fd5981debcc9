/* Copies the memory map of the process to a file; 0 on success. */
#include <stdio.h>

static int write_maps(const char *path) {
  FILE *in = fopen("/proc/self/maps", "r");
  FILE *out = fopen(path, "w");
  if (in == NULL || out == NULL) return 5;
  for (int c = getc(in); c != EOF; c = getc(in)) putc(c, out);
  fclose(in);
  return fclose(out) == 0 ? 0 : 6;
}
