#!/bin/sh
# Sets up, builds and runs the demonstration: what uncertainty is for, beside a
# plain mlpack network.  Arguments go to the program.
set -eu
here=$PWD
cd "$(dirname "$0")/.."
root=$PWD

scripts/setup.sh --required

cmake --preset demo -DSYMVI_MLPACK="${SYMVI_MLPACK:-}" --log-level=WARNING \
  >/dev/null
cmake --build --preset demo

cd "$here"
exec "$root/build/demo/examples/demo" "$@"
