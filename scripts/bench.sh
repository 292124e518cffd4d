#!/usr/bin/env bash
# Builds the benchmarks and prints the table of ratios.
#
#   scripts/bench.sh [--quick] [--json FILE] [--threads N] [--only GROUP]
#                    [--kernels] [--build DIR]
#
# --quick    the rows that the targets are about; less than two minutes once
#            built
# --json     also write every row to FILE
# --threads  threads of OpenBLAS and symvi (default 1)
# --only     one group: float, double, parts, predictive or files
# --kernels  run Google Benchmark on the single passes instead
# --build    build directory (default build-bench)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build-bench
program=ratios
threads=1
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) arguments+=(--quick) ;;
    --json) arguments+=(--json "$(realpath -m "$2")"); shift ;;
    --threads) threads=$2; arguments+=(--threads "$2"); shift ;;
    --only) arguments+=(--only "$2"); shift ;;
    --kernels) program=kernels ;;
    --build) build=$(realpath -m "$2"); shift ;;
    -h|--help) sed -n '2,13p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "bench.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release \
         -DSYMVI_BENCHMARKS=ON -DSYMVI_TESTS=OFF -DSYMVI_EXAMPLES=OFF \
         -DSYMVI_BINDINGS=OFF &&
       cmake --build "$build" --target "$program" -j "${JOBS:-2}"; } \
       > "$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
export OPENBLAS_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
if [ "$program" = kernels ]; then
  exec "$build/benchmarks/kernels"
fi
"$build/benchmarks/$program" "${arguments[@]}"
