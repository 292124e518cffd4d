#!/usr/bin/env bash
# Compiles the first program of README.md and its twin on plain mlpack, in turn,
# and prints the processor time of the compiler and the ratio to plain mlpack.
#
#   scripts/compile_time.sh [--rounds N] [--flags FLAGS]
#
# --rounds  how often; the median is printed (default 3)
# --flags   of the compiler (default "-O3 -DNDEBUG")
#
# CXX (default c++) is the compiler.
set -euo pipefail

die() { echo "compile_time.sh: $*" >&2; exit 2; }

root=$(cd "$(dirname "$0")/.." && pwd)
rounds=3
flags="-O3 -DNDEBUG"
while [ $# -gt 0 ]; do
  case $1 in
    --rounds|--flags) [ $# -gt 1 ] && [ -n "$2" ] || die "$1 needs a value." ;;
  esac
  case $1 in
    --rounds)
      [[ $2 =~ ^[1-9][0-9]{0,2}$ ]] ||
        die "--rounds must be a number from 1 to 999, but is '$2'."
      rounds=$2; shift ;;
    --flags) flags=$2; shift ;;
    -h|--help) sed -n '2,10p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) die "there is no option '$1' (see --help)." ;;
  esac
  shift
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plain=$root/benchmarks/compile_plain.cpp
awk '/^```cpp$/ { on = 1; next } /^```$/ && on { exit } on' \
  "$root/README.md" > "$work/symvi.cpp"
# The flags of the release build, which CMake took from Findmlpack.cmake.
commands=$root/build/release/compile_commands.json
[ -e "$commands" ] || die "run 'cmake --preset release' first."
common="-std=c++17 $flags $(grep -m 1 src/require.cpp "$commands" |
  grep -oE -- '-(D|isystem )[^ "\\]+' | tr '\n' ' ') -I$root/include"

# Seconds that the compiler takes for the given arguments.
seconds()
{
  local TIMEFORMAT=%U
  { time ${CXX:-c++} $common -c "$@" -o "$work/x.o" 2> "$work/errors" ||
    { cat "$work/errors"; exit 1; } >&3; } 2>&1
}

names=("plain, <mlpack.hpp>" "plain, <ann.hpp> alone" "symvi")
for round in $(seq "$rounds"); do
  seconds "$plain" >> "$work/0"
  seconds "$plain" -DANN_HEADERS_ONLY >> "$work/1"
  seconds "$work/symvi.cpp" >> "$work/2"
done 3>&2

median()
{
  sort -n "$1" | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'
}

printf '%-38s %8s %8s\n' "program" "seconds" "ratio"
for i in 0 1 2; do
  printf '%-38s %8.2f %8.2f\n' "${names[i]}" "$(median "$work/$i")" \
    "$(awk "BEGIN { print $(median "$work/$i") / $(median "$work/0") }")"
done
