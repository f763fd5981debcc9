#!/usr/bin/env bash
# Builds the runtime into build/: gcc (or $CC) and nothing else.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
flags=(-std=c11 -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden -fexceptions -fno-builtin -fno-tree-loop-distribute-patterns -ftls-model=initial-exec -pthread -Wall -Wextra -Werror -Iinclude -Isrc)
"${CC:-gcc}" "${flags[@]}" -shared -Wl,-soname,libperdure.so -Wl,-z,initfirst,-z,start-stop-visibility=hidden src/*.c -o build/libperdure.so.new -ldl
mv build/libperdure.so.new build/libperdure.so
