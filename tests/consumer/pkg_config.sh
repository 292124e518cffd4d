#!/bin/sh
# Compiles version.cpp with what pkg-config says of an installed symvi.
#   usage: pkg_config.sh PKG_CONFIG COMPILER PREFIX FOLDER
set -eu
file=$(find "$3" -name symvi.pc)
PKG_CONFIG_PATH=$(dirname "$file")
export PKG_CONFIG_PATH
# eval: the flags may hold quoted paths with spaces.
flags=$("$1" --define-variable=prefix="$3" --cflags --libs symvi)
eval "\"\$2\" -std=c++17 \"\$4/version.cpp\" -o \"\$3/version\" $flags"
"$3/version"
