#!/bin/sh
# Sets up, builds and runs the tests: the fast ones under the sanitizers, then
# every test of the release build, then what stands next to mlpack (layers,
# networks, objectives, models, programs) with the other generation of mlpack.
#
#   usage: scripts/test.sh [--release-only]
#
# JOBS (default: the number of processors) limits what runs at once;
# SYMVI_MLPACK chooses the generation of the first two (see setup.sh).
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

lanes="sanitize release other"
case ${1:-} in
  '') ;;
  --release-only) lanes=release ;;
  *) echo "usage: scripts/test.sh [--release-only]" >&2; exit 2 ;;
esac

# The generation that the release build does not use.
otherGeneration()
{
  case $(sed -n 's/^mlpack_GENERATION:.*=//p' build/release/CMakeCache.txt) in
    4.8) echo 4.6 ;;
    *) echo 4.8 ;;
  esac
}

scripts/setup.sh

failed=
for lane in $lanes; do
  generation=${SYMVI_MLPACK:-}
  if [ "$lane" = other ]; then
    generation=$(otherGeneration)
    SYMVI_MLPACK=$generation scripts/setup.sh
  fi
  echo "test: $lane${generation:+, mlpack $generation}"
  cmake --preset "$lane" -DSYMVI_MLPACK="$generation"
  cmake --build --preset "$lane" -j "$jobs"
  ctest --preset "$lane" -j "$jobs" || failed="$failed $lane"
done
[ -z "$failed" ] || { echo "test: failed under:$failed" >&2; exit 1; }
