/* LITMUS
 * command: run
 * options: --detect taint
 * expect: intra-thread-inconsistency effect=E1
 * expect: intra-thread-inconsistency effect=E2
 * expect: intra-thread-inconsistency effect=E3
 * expect: intra-thread-inconsistency effect=E4
 * expect: intra-thread-inconsistency effect=E5
 * expect: intra-thread-inconsistency effect=E6
 * expect: intra-thread-inconsistency effect=E7
 * expect: intra-thread-inconsistency effect=E8
 * expect: intra-thread-inconsistency effect=E9
 * expect: intra-thread-inconsistency effect=E10
 * expect: intra-thread-inconsistency effect=E11
 * expect: intra-thread-inconsistency effect=E12
 * expect: intra-thread-inconsistency effect=E13
 * expect: intra-thread-inconsistency effect=E14
 * expect: intra-thread-inconsistency effect=E15
 * expect: intra-thread-inconsistency effect=E16
 * END */
/* Unpersisted data of the thread's own goes on through containers, strings, closures, virtual calls and exceptions of C++ into PM. */
#include "litmus.h"
#include <string>
#include <vector>
#include <map>
#include <unordered_map>
#include <functional>
#include <memory>
#include <algorithm>
#include <sstream>
#include <deque>
#include <optional>
#include <tuple>
struct P { uint64_t a, b; char text[48]; uint64_t out[40]; char texts[10][48]; };
static P *pm;
struct Base { virtual uint64_t f(uint64_t x) { return x; } virtual ~Base() {} };
struct Der : Base { uint64_t f(uint64_t x) override { return x * 2; } };
int main(int, char **v) {
  pm = (P *)pm_map(v[1], sizeof *pm);
  volatile int zero = 0;
  pm->a = 5 + zero; pm->b = 6 + zero; strcpy(pm->text, zero ? "" : "abcdefgh");
  __asm__ volatile("" ::: "memory");
  std::vector<uint64_t> vec; for (int i = 0; i < 5; i++) vec.push_back(i); vec.push_back(pm->b);
  pm->out[1] = vec[5]; //@E1 vector
  std::map<int, uint64_t> m; m[3] = pm->b;
  pm->out[2] = m[3]; //@E2 map
  std::unordered_map<int, uint64_t> um; um[4] = pm->b;
  pm->out[3] = um.at(4); //@E3 unordered_map
  std::string s(pm->text);
  memcpy(pm->texts[0], s.data(), 8); //@E4 string
  std::string t = "x" + s + std::to_string(pm->b);
  memcpy(pm->texts[1], t.data(), 8); //@E5 string concat
  std::string big(100, 'q'); big += s; 
  memcpy(pm->texts[2], big.data() + 100, 8); //@E6 string append heap
  std::function<uint64_t(uint64_t)> f = [&](uint64_t x) { return x + pm->a; };
  pm->out[4] = f(1); //@E7 std::function
  auto u = std::make_unique<uint64_t>(pm->b);
  pm->out[5] = *u; //@E8 unique_ptr
  Base *d = zero ? new Base : new Der;
  pm->out[6] = d->f(pm->b); //@E9 virtual
  std::sort(vec.begin(), vec.end());
  pm->out[7] = vec.back(); //@E10 sort
  std::ostringstream os; os << pm->b << ' ' << pm->text;
  std::string o = os.str();
  memcpy(pm->texts[3], o.data(), 8); //@E11 ostringstream
  std::optional<uint64_t> op = pm->b;
  pm->out[8] = *op; //@E12 optional
  auto tu = std::make_tuple(1, pm->b);
  pm->out[9] = std::get<1>(tu); //@E13 tuple
  try { throw pm->b; } catch (uint64_t e) { 
  pm->out[10] = e; } //@E14 exception
  pm->out[11] = std::stoul(std::to_string(pm->b)); //@E15 stoul
  std::vector<std::string> vs{s, "z"}; 
  strcpy(pm->texts[4], vs[0].c_str()); //@E16 vector of string
  return 0;
}
