#!/usr/bin/env bash
# fuzz_one.sh SECONDS NAME: runs one libFuzzer target of the fuzz preset. What it
# learns stays in build/fuzz; an input that breaks it is named at the end.
set -euo pipefail
seconds=$1
name=$2
seeds=tests/fuzz/corpus/$name
learned=build/fuzz/corpus/$name
findings=build/fuzz/findings/$name
log=build/fuzz/$name.log
mkdir -p "$learned" "$findings"
options=(-max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -print_final_stats=1
  -artifact_prefix="$findings/")
[[ -f tests/fuzz/dict/$name.dict ]] && options+=(-dict="tests/fuzz/dict/$name.dict")
folders=("$learned")
[[ -d $seeds ]] && folders+=("$seeds")
echo "fuzz $name: started"
if "build/fuzz/bin/fuzz/$name" "${options[@]}" "${folders[@]}" >"$log" 2>&1; then
  echo "fuzz $name: $(grep -o 'number_of_executed_units: .*' "$log" || true)"
else
  tail -n 40 "$log"
  echo "fuzz $name: FAILED; inputs in $findings, log in $log"
  # xargs stops at 255 only; the other targets still get their time.
  exit 1
fi
