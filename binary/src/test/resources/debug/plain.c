#include "shapes.h"

volatile long sunk;

void sink(long value) { sunk += value; }

static int unused(int n) { return n * 17; }

int (*table[])(int) = {square};

static int clamp(int x) {
  if (x < 0)
    return 0;
  return x > 100 ? 100 : x;
}

int plain(int *p, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    total += clamp(p[i]) + square(p[i]);
    if (total > 1000)
      sink(unused(total));
  }
  return total;
}
