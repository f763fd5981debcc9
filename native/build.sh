#!/usr/bin/env bash
# Builds the runtime into build/: gcc (or $CC) and nothing else. Compiles what is older than its source, a header or this file, a job a core.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build/objects
flags=(-std=c11 -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden -fexceptions -fno-builtin -fno-tree-loop-distribute-patterns -ftls-model=initial-exec -pthread -Wall -Wextra -Werror -Iinclude -Isrc)
newest=$(ls -t build.sh include/*.h src/*.h | head -n 1)
objects=() stale=()
for source in src/*.c; do
  object=build/objects/$(basename "$source" .c).o
  objects+=("$object")
  if [ ! "$object" -nt "$source" ] || [ ! "$object" -nt "$newest" ]; then
    stale+=("$source")
  fi
done
# Hooks are called from patched code that keeps its vector registers; functions that pass floating-point arguments on need them.
# Callers of interposed functions are found by the frame pointers of the runtime's own functions.
compile() {
  local source=$1 own=(-mgeneral-regs-only -fno-omit-frame-pointer)
  case $source in
    src/libc_floats.c | src/libc_format.c | src/libc_print.c) own=(-fno-omit-frame-pointer) ;;
    src/hooks.c | src/atomics.c | src/ring.c | src/inside.c | \
      src/access_gates.c | src/atomic_gates.c | src/bit_gates.c | src/string_gates.c | src/vector_gates.c) own=(-mgeneral-regs-only) ;;
  esac
  "${CC:-gcc}" "${flags[@]}" "${own[@]}" -c "$source" -o "build/objects/$(basename "$source" .c).o"
}
running=0
for source in "${stale[@]}"; do
  if [ "$running" -ge "$(nproc)" ]; then
    wait -n
    running=$((running - 1))
  fi
  compile "$source" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n
  running=$((running - 1))
done
if [ ${#stale[@]} -gt 0 ] || [ ! -e build/libperdure.so ]; then
  "${CC:-gcc}" "${flags[@]}" -shared -Wl,-soname,libperdure.so -Wl,-z,now,-z,initfirst,-z,start-stop-visibility=hidden "${objects[@]}" -o build/libperdure.so.new -ldl
  mv build/libperdure.so.new build/libperdure.so
fi
