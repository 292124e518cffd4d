#!/bin/sh
# Builds with gcov, runs the fast tests and prints how many lines and branches of
# the library they execute, then the lines that none does, by file.
#
#   usage: scripts/coverage.sh
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage >/dev/null
cmake --build --preset coverage
ctest --preset coverage -j "${JOBS:-$(nproc)}" >/dev/null || echo "coverage: tests failed" >&2
exec python3 scripts/coverage.py build/coverage "$PWD"
