# The part of the compiler driver that needs no JVM: compiling, asking questions, and the probes of configure scripts. The rules
# are those of dev.perdure.llvm.driver (Invocation, Probe, CompileFlags).

PERDURE_HOME=${PERDURE_HOME:-$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)}
quiet=(-Qunused-arguments -Wno-unknown-warning-option -fheinous-gnu-extensions)

# Sets clang, linker, archiver, ranlib and nm from the note that Perdure keeps in the user's cache.
read_toolchain() {
  local cache=${XDG_CACHE_HOME:-$HOME/.cache} name path
  [[ -r $cache/perdure/toolchain ]] || return 1
  while IFS='=' read -r name path; do
    [[ $name =~ ^(clang|linker|archiver|ranlib|nm)$ ]] && printf -v "$name" %s "$path"
  done <"$cache/perdure/toolchain"
  [[ -x $clang && -x $linker && -x $archiver && -x $ranlib && -x $nm ]]
}

# Becomes the tool of that name; the first use of Perdure's compiler unpacks it.
become() {
  local name=$1
  shift
  read_toolchain || { "$PERDURE_HOME/perdure" cc --version >/dev/null && read_toolchain; } || exit
  exec "${!name}" "$@"
}

# Whether the current folder, or a file among the arguments, belongs to a probe of configure, cmake or meson.
is_probe() {
  case $PWD/ in
  */CMakeFiles/CMakeTmp/* | */CMakeFiles/CMakeScratch/* | */CMakeFiles/*/CompilerId*/* | */meson-private/* | */config-temp/* | */.conf_check_*/*) return 0 ;;
  esac
  local word previous=
  for word in "$@"; do
    case $word in
    conftest.* | conftest[0-9]*.* | */conftest.* | *CMakeCCompilerId.* | *CMakeCXXCompilerId.* | *sanitycheckc*.* | _configtest.* | */_configtest.* | */meson-private/* | *config-temp/* | *CMakeFiles/cmTC_*) return 0 ;;
    /dev/null) [[ $previous == -o ]] && return 0 ;;
    esac
    previous=$word
  done
  return 1
}

# Adds to kept: functions that the configuration names are not inlined, so that their calls can be recorded.
keep_named_calls() {
  local file=${PERDURE_CONFIG:-perdure.toml} line section= words='"([A-Za-z_$.][A-Za-z0-9_$.]*)"(.*)'
  [[ -r $file ]] || return 0
  while IFS= read -r line || [[ -n $line ]]; do
    [[ $line =~ ^[[:space:]]*\[+([a-z]+)\]+ ]] && section=${BASH_REMATCH[1]} && continue
    [[ $section =~ ^(sync|allocators|flush)$ ]] || continue
    while [[ $line =~ $words ]]; do
      line=${BASH_REMATCH[2]}
      kept+=(-mllvm "-force-attribute=${BASH_REMATCH[1]}:noinline")
    done
  done <"$file"
}

compile_only() {
  [[ $task != link ]] || task=compile
}

stand_in() {
  local command=$1 word task=link debug=no inputs=no value=no fix=no optimised=no openmp=no
  shift
  local mode=() kept=()
  [[ $command == c++ ]] && mode=(--driver-mode=g++)
  if ! read_toolchain; then
    exec "$PERDURE_HOME/perdure" "$command" "$@"
  fi
  for word in "$@"; do
    if [[ $value == yes ]]; then
      value=no
      [[ $word != *-header ]] || compile_only
      continue
    fi
    case $word in
    --fix | --fix=*) fix=yes ;;
    -O*) optimised=yes ;;
    -fopenmp | -fopenmp=libomp) openmp=yes ;;
    -c | --compile | --precompile | -x*-header) compile_only ;;
    -x | -o | -l | -[IDULBTuzehA] | -include | -imacros | -isystem | -idirafter | -iquote | -isysroot | -M[FTQJ] | -target | -arch | -mllvm) value=yes ;;
    -Xclang | -Xlinker | -Xpreprocessor | -Xassembler | -rpath | -soname | -include-pch | --param | --sysroot | -resource-dir | -dumpbase) value=yes ;;
    -S | --assemble | -E | --preprocess | -M | -MM | -fsyntax-only | --analyze) task=pass ;;
    --version | -dumpmachine | -dumpversion | -dumpspecs | -\#\#\# | --help | -help | --help-hidden | --target-help | -cc1 | -cc1as) task=pass ;;
    -print-* | --print-*) task=pass ;;
    -g0 | -gz* | -gno-* | -gcolumn-info | -gstrict-dwarf | -ginline-*) ;;
    -g | -g[123] | -ggdb* | -gdwarf* | -gline-tables-only | -gmlt | -gfull | -gmodules | -gsplit-dwarf*) debug=yes ;;
    @*) task=unknown && break ;;
    -?*) ;;
    *.h | *.hh | *.hpp | *.hxx) inputs=yes && compile_only ;;
    *) inputs=yes ;;
    esac
  done
  [[ $task == link && $inputs == no ]] && task=pass
  if [[ $fix == yes && $task != compile || $openmp == yes && $task != pass && ! -e ${clang%/bin/*}/lib/libomp.so ]]; then
    exec "$PERDURE_HOME/perdure" "$command" "$@"
  elif [[ $task == pass ]]; then
    exec "$clang" "${mode[@]}" "$@"
  elif [[ $task != unknown && $fix == no ]] && is_probe "$@"; then
    exec "$clang" "${mode[@]}" "$@" "--ld-path=$linker" "${quiet[@]}"
  elif [[ $task != compile ]]; then
    exec "$PERDURE_HOME/perdure" "$command" "$@"
  fi
  for word in "$@"; do
    case $word in
    --fix | --fix=* | --strip | -flto | -flto=* | -fno-lto | -ffat-lto-objects | -fno-fat-lto-objects | -fwhole-program-vtables | -fsplit-lto-unit | -fvirtual-function-elimination) ;;
    *) kept+=("$word") ;;
    esac
  done
  keep_named_calls
  [[ $debug == no ]] && kept+=(-gline-tables-only -fdebug-info-for-profiling)
  if [[ $fix == yes ]]; then
    [[ $optimised == no ]] && kept+=(-O1)
    kept+=(-Xclang -disable-llvm-passes -Xclang -disable-O0-optnone -D__PERDURE__)
  fi
  exec "$clang" "${mode[@]}" "${kept[@]}" -flto "-I$PERDURE_HOME/native/include" "${quiet[@]}"
}
