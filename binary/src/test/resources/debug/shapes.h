#pragma once

#ifdef __cplusplus
extern "C"
#endif
    void
    sink(long value);

static inline int square(int x) {
  int y = x * x;
  return y + 1;
}
