#!/bin/sh
# What two ranks of one thread each gain over one, on an idle machine of at least
# two processors; takes about a minute and a half.  One rank and two take turns,
# and the least time of each counts.
#
#   usage: benchmarks/mpi_speed.sh [MPI_SPEED]
#
# MPI_SPEED (build/release/benchmarks/mpi_speed) is the target mpi_speed of a build
# with -DSYMVI_BENCHMARKS=ON.  MPIRUN and ROUNDS (3) are read from the environment.
set -eu
program=${1:-$(dirname "$0")/../build/release/benchmarks/mpi_speed}
rounds=${ROUNDS:-3}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OPENBLAS_NUM_THREADS=1
mpirun=${MPIRUN:-mpirun}
case $($mpirun --version 2>/dev/null) in
  *"Open MPI"*|*OpenRTE*) mpirun="$mpirun --bind-to none" ;;
esac

for _ in $(seq "$rounds"); do
  for ranks in 1 2; do
    $mpirun -n $ranks "$program" step
    $mpirun -n $ranks "$program" fits 400
  done
  $mpirun -n 2 "$program" alone | sed 's/.*/alone &/'
done | awk '
  # "[alone ]NAME 784-512-10, batch 1000, R ranks: T ms ..." or
  # "16 fits of 20-50-2, R ranks: T s".
  {
    for (i = 1; i <= NF; ++i)
      if ($i == "ranks:") { ranks = $(i - 1); t = $(i + 1) }
    if ($1 == "alone") ranks = "alone"
    name = $0
    sub(/^alone /, "", name)
    sub(/,? (784|of 20).*/, "", name)
    if (!((name, ranks) in least) || t < least[name, ranks]) least[name, ranks] = t
    if (!(name in seen)) { seen[name] = 1; order[++n] = name }
  }
  END {
    printf "%-28s %10s %10s %6s %8s\n", "", "1 rank", "2 ranks", "gain", "machine"
    for (i = 1; i <= n; ++i) {
      m = order[i]
      printf "%-28s %10.2f %10.2f %6.2f", m, least[m, 1], least[m, 2], least[m, 1] / least[m, 2]
      if ((m, "alone") in least) printf " %8.2f", 2 * least[m, 1] / least[m, "alone"]
      print ""
    }
  }'
