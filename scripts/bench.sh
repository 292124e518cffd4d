#!/usr/bin/env bash
# Sets up, builds the benchmarks and prints the table of ratios.
#
#   scripts/bench.sh [--quick] [--json FILE] [--threads N] [--only GROUP]
#                    [--hidden UNITS] [--kernels] [--build DIR]
#
# --quick    fewer estimators and repetitions; less than two minutes once built
# --json     also write every row to FILE
# --threads  threads of OpenBLAS and symvi (default 1)
# --only     one group: float, double, small, overlap, parts, threads,
#            predictive, growth, files, memory, runs (whole trainings), or
#            convolution (a network like LeNet)
# --hidden   training steps (groups float and double) of one shape, such as 30
#            or 128-128
# --kernels  run Google Benchmark on the single passes instead
# --build    build directory (default build-bench)
set -euo pipefail

die() { echo "bench.sh: $*" >&2; exit 2; }

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build-bench
program=ratios
threads=1
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --json|--threads|--only|--hidden|--build)
      [ $# -gt 1 ] && [ -n "$2" ] || die "$1 needs a value." ;;
  esac
  case $1 in
    --quick) arguments+=(--quick) ;;
    --json) arguments+=(--json "$(realpath -m -- "$2")"); shift ;;
    --threads)
      [[ $2 =~ ^[1-9][0-9]{0,2}$ ]] ||
        die "--threads must be a number from 1 to 999, but is '$2'."
      threads=$2; arguments+=(--threads "$2"); shift ;;
    --only)
      case $2 in
        float|double|small|overlap|parts|threads|predictive) ;;
        growth|files|memory) ;;
        runs) program=runs ;;
        convolution) program=convolution_speed ;;
        *) die "there is no group '$2' (see --help)." ;;
      esac
      [ "$program" != ratios ] || arguments+=(--only "$2")
      shift ;;
    --hidden)
      [[ $2 =~ ^[1-9][0-9]*(-[1-9][0-9]*)*$ ]] ||
        die "--hidden must be units such as 30 or 128-128, but is '$2'."
      arguments+=(--hidden "$2"); shift ;;
    --kernels) program=kernels ;;
    --build) build=$(realpath -m -- "$2"); shift ;;
    -h|--help) sed -n '2,16p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) die "there is no option '$1' (see --help)." ;;
  esac
  shift
done

"$root/scripts/setup.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "bench.sh: building ${build##*/}/benchmarks/$program" >&2
if ! { cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release \
         -DSYMVI_BENCHMARKS=ON -DSYMVI_TESTS=OFF -DSYMVI_EXAMPLES=OFF \
         -DSYMVI_BINDINGS=OFF &&
       cmake --build "$build" --target "$program" -j "${JOBS:-2}"; } \
       > "$log" 2>&1; then
  cat "$log" >&2
  die "the build failed; see the reason above."
fi
export OPENBLAS_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
"$build/benchmarks/$program" ${arguments[@]+"${arguments[@]}"}
