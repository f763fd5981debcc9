#include "shapes.h"

namespace outer {
namespace {
struct Counter {
  long n = 0;
  template <class T> inline void add(T t) { n += static_cast<long>(t); }
  virtual long get() const;
  virtual ~Counter();
};

long Counter::get() const { return n; }

Counter::~Counter() { sink(n); }
} // namespace

template <class T, int N> struct Box {
  T v[N];
  T sum() const {
    T s{};
    for (auto &x : v)
      s += x;
    return s;
  }
};

static inline __attribute__((always_inline)) int twice(int x) { return x * 2; }

static inline int thrice(int x) {
  if (x == 7)
    sink(x);
  return twice(x) + x;
}

template <class F> static void each(int from, int to, F f) {
  for (int i = from; i < to; i++)
    f(i);
}

__attribute__((noinline)) long work(int k) {
  Counter c;
  Box<long, 4> b{{1, 2, 3, k}};
  each(0, k, [&](int y) {
    c.add(thrice(y));
    each(y, y + 2, [&](int z) { c.add(square(z) * 1.5); });
  });
  struct Local {
    int go(int q) { return thrice(q) + square(q); }
  } local;
  return c.get() + b.sum() + local.go(k);
}
} // namespace outer

extern "C" int plain(int *p, int n);
extern "C" long asm_one(long x);

int main(int argc, char **) {
  int values[4] = {argc, 2, 3, 4};
  sink(plain(values, 4));
  sink(asm_one(argc));
  return outer::work(argc * 10) == 0;
}
