#!/bin/sh
# Sets up, builds and runs the whole test suite: the fast tests under the
# sanitizers first, then every test of the release build.
#
#   usage: scripts/test.sh [--release-only]
#
# JOBS (default: the number of processors) limits what runs at once.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

lanes="sanitize release"
case ${1:-} in
  '') ;;
  --release-only) lanes=release ;;
  *) echo "usage: scripts/test.sh [--release-only]" >&2; exit 2 ;;
esac

scripts/setup.sh

failed=
for lane in $lanes; do
  echo "test: $lane"
  cmake --preset "$lane"
  cmake --build --preset "$lane" -j "$jobs"
  ctest --preset "$lane" -j "$jobs" || failed="$failed $lane"
done
[ -z "$failed" ] || { echo "test: failed under:$failed" >&2; exit 1; }
