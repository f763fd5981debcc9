/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=B1
 * expect: flush at=B1
 * expect: flush at=A2
 * expect: flush at=B2
 * allow: fence
 * after-fix: clean
 * END */
/* Members of std::string and std::istream write to the characters that they are given: the library is not repaired, but what it writes is known. */
#include "litmus.h"
#include <sstream>
#include <string>

struct Pool { alignas(LINE) char name[2 * LINE]; alignas(LINE) char text[2 * LINE]; alignas(LINE) uint64_t length; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  auto *pool = static_cast<Pool *>(pm_map(argv[1], sizeof(Pool)));
  std::string name = "the name of something";
  name.copy(pool->name, name.size()); //@A1
  pool->length = 1; //@B1
  std::istringstream in("a line of words that is read from a stream");
  in.read(pool->text, 40); //@A2
  pool->length = 2; //@B2
  return 0;
}
