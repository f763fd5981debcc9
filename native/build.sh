#!/usr/bin/env bash
# Builds the runtime into build/: gcc (or $CC) and nothing else.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build/objects
flags=(-std=c11 -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden -fexceptions -fno-builtin -fno-tree-loop-distribute-patterns -ftls-model=initial-exec -pthread -Wall -Wextra -Werror -Iinclude -Isrc)
# Hooks are called from patched code that keeps its vector registers. Functions that pass floating-point arguments on need them.
objects=()
for source in src/*.c; do
  object=build/objects/$(basename "$source" .c).o
  registers=(-mgeneral-regs-only)
  [ "$source" != src/libc_format.c ] || registers=()
  "${CC:-gcc}" "${flags[@]}" "${registers[@]}" -c "$source" -o "$object" &
  objects+=("$object")
done
for job in $(jobs -p); do
  wait "$job"
done
"${CC:-gcc}" "${flags[@]}" -shared -Wl,-soname,libperdure.so -Wl,-z,initfirst,-z,start-stop-visibility=hidden "${objects[@]}" -o build/libperdure.so.new -ldl
mv build/libperdure.so.new build/libperdure.so
