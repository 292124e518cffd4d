#!/bin/sh
# Sets up, builds and runs the demonstration: plain mean-field VI against the
# symmetrized ELBO on handwritten digits.  Arguments go to the program.
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
