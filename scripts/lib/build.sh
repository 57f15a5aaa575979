# Sourced by test and check: one way to build a preset and to run its tests.

jobs=$(nproc)

say() { printf '\n== %s\n' "$*"; }

# build PRESET
build() {
  say "build $1"
  local log
  log=$(mktemp)
  # What the configuration found interests only when it fails.
  if ! cmake --preset "$1" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
  cmake --build --preset "$1" --parallel "$jobs"
}

# run_tests PRESET [ctest option]...
run_tests() {
  local preset=$1
  shift
  say "test $preset"
  python3 scripts/lib/run_ctest.py "build/$preset" --parallel "$jobs" "$@"
}
