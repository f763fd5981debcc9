#!/usr/bin/env bash
# Builds the runtime and its tests with gcc (or $CC) and runs them. Arguments are names of test files: ./test.sh ring locks
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
cc=${CC:-gcc}
flags=(-std=gnu11 -D_GNU_SOURCE -O1 -g -fno-builtin -pthread -Wall -Wextra -Werror -Iinclude -Itests)
link=(-Lbuild -Wl,--no-as-needed -lperdure "-Wl,-rpath,$PWD/build")
mkdir -p build/tests
"$cc" "${flags[@]}" tests/dump.c tests/recording_file.c -o build/dump
for part in harness recording_file; do
  "$cc" "${flags[@]}" -c "tests/$part.c" -o "build/tests/$part.o"
done

# perdure.h is for any program: C99 and C++11, with and without a fixed address.
for pie in -fpie -fno-pie; do
  "$cc" -std=c99 -pedantic -Wall -Wextra -Werror "$pie" -x c -fsyntax-only include/perdure.h
  if command -v "${CXX:-g++}" >/dev/null; then
    "${CXX:-g++}" -std=c++11 -pedantic -Wall -Wextra -Werror "$pie" -x c++ -fsyntax-only include/perdure.h
  else
    echo "skipped perdure.h in C++: no C++ compiler"
  fi
done

# The library that a test needs beside libc, if any.
library_of() {
  case $1 in
    libpmem_test) echo pmem ;;
    libpmem2_test) echo pmem2 ;;
    pmemobj_test | library_changes_test) echo pmemobj ;;
  esac
}

failed=0
for source in tests/*_test.c; do
  name=$(basename "$source" .c)
  if [ $# -gt 0 ] && [[ " $* " != *" ${name%_test} "* ]]; then
    continue
  fi
  library=$(library_of "$name")
  if [ -n "$library" ] && ! echo "#include <lib$library.h>" | "$cc" -E - >/dev/null 2>&1; then
    echo "skipped $name: lib$library is not installed"
    continue
  fi
  "$cc" "${flags[@]}" "$source" build/tests/{harness,recording_file}.o "${link[@]}" ${library:+-l$library} -o "build/tests/$name"
  echo "== $name"
  "build/tests/$name" || failed=1
done
exit $failed
