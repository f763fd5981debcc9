#include <csetjmp>
#include <cstdio>
#include <stdexcept>

extern long *test_pm;

namespace store {
struct Table {
  __attribute__((noinline)) void put(int at, long value) { test_pm[at] = value; } // put
  inline __attribute__((always_inline)) void twice(int at) {
    put(at, 2); // inner-call
  }
};
} // namespace store

static store::Table table;
static jmp_buf back;

__attribute__((noinline)) static void thrower(int depth) {
  if (depth == 0) throw std::runtime_error("deep");
  thrower(depth - 1); // throwing-call
  table.put(0, 0);
}

__attribute__((noinline)) static void jumper(int depth) {
  if (depth == 0) longjmp(back, 1);
  jumper(depth - 1);
  table.put(0, 0);
}

__attribute__((noinline)) static void only_writes(long *p) { *p = 6; } // put

int main() {
  table.twice(1); // outer-call
  try {
    thrower(3);
  } catch (const std::exception &e) {
    std::printf("caught %s\n", e.what());
    table.put(2, 3); // after-catch
  }
  if (setjmp(back) == 0) {
    jumper(3);
  } else {
    table.put(3, 4); // after-jump
  }
  only_writes(test_pm + 4); // writing-call
  return 0;
}
