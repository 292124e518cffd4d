#!/bin/sh
# Brings in what symvi needs.  Debian 12 and 13; Ubuntu 24.04 by the same route.
#
#   usage: scripts/setup.sh [--required | --headers] [--retry]
#
#   --required  only what the library and the demonstration need
#   --headers   only mlpack's headers, for programs that use an installed symvi
#   --retry     try skipped optional parts again
#
# As root it installs the missing packages.  As a plain user it prints the one
# line that installs them, and stops.  Where the system's release carries no
# mlpack >= 4.6, the headers of a later release go into .deps/mlpack-VERSION of
# this checkout; apt verifies their signatures, and the system's own sources
# stay as they are.  A run that finds everything in place changes nothing.
#
#   environment: SYMVI_MLPACK      the generation of mlpack to use, 4.6 or 4.8,
#                                  instead of the system's or else the newest;
#                                  several can be there at once, and CMake's
#                                  variable of the same name chooses
#                SYMVI_SUITE       the later release to take headers from
#                SYMVI_SKIP_SETUP  set: trust that everything is in place
set -eu
LC_ALL=C
export LC_ALL

minCMake=3.25
minMlpack=4.6
maxMlpack=4.8 # The newest that symvi is tested with.
root=$(cd "$(dirname "$0")/.." && pwd)
deps=$root/.deps
stage=$deps/stage.$$

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 1; }

wantOptional=yes
wantPackages=yes
retry=
for argument in "$@"; do
  case $argument in
    --required) wantOptional= ;;
    --headers) wantOptional= wantPackages= ;;
    --retry) retry=yes ;;
    *) die "unknown argument '$argument'; usage: setup.sh [--required | --headers] [--retry]" ;;
  esac
done
[ -z "${SYMVI_SKIP_SETUP:-}" ] || exit 0
wanted=${SYMVI_MLPACK:-}
[ -z "$wanted" ] || expr "$wanted" : '[0-9][0-9]*\.[0-9][0-9]*$' >/dev/null ||
  die "SYMVI_MLPACK is '$wanted', but must be a version such as 4.6 or 4.8."

# What the library, its programs and tests need, and the optional parts.
basePackages="cmake ninja-build g++ pkg-config ca-certificates libopenblas-dev
  librandom123-dev catch2 libcli11-dev"
mlpackPackages="libmlpack-dev libensmallen-dev libarmadillo-dev libcereal-dev
  libstb-dev rapidjson-dev"
# Another package with mlpack's headers, for where libmlpack-dev lacks some.
spareMlpackPackage=python3-mlpack
onnxPackages="libonnx-dev libprotobuf-dev protobuf-compiler"
nodePackages="nodejs npm"
picturePackages="gnuplot-nox"
benchmarkPackages="libbenchmark-dev"
formatPackages="clang-format"
mpiPackages="libopenmpi-dev openmpi-bin"
# What the estimators need, and what tests them.
pythonPackages="python3-dev pybind11-dev python3-numpy python3-sklearn"
pythonTestPackages="python3-pytest python3-pandas python3-pip python3-venv"
nodeModule="onnxruntime-node@1.20.1"

# Those of the named packages that are not installed.
missing()
{
  [ $# -gt 0 ] || return 0
  installed=$(dpkg-query -W -f '${Package}:${db:Status-Status} ' "$@" \
    2>/dev/null || true)
  for package in "$@"; do
    case " $installed" in
      *" $package:installed "*) ;;
      *) isReplaced "$package" || printf '%s ' "$package" ;;
    esac
  done
}

# A tool that came from elsewhere is as good as its package.
isReplaced()
{
  case $1 in
    cmake) command -v cmake ;;
    g++) command -v c++ || command -v g++ ;;
    ninja-build) command -v ninja ;;
    pkg-config) command -v pkg-config ;;
    nodejs) command -v node ;;
    npm) command -v npm ;;
    gnuplot-nox) command -v gnuplot ;;
    clang-format) command -v clang-format-14 || command -v clang-format ;;
    libopenmpi-dev) command -v mpicxx ;;
    openmpi-bin) command -v mpirun ;;
    *) false ;;
  esac >/dev/null 2>&1
}

# The version of a package that apt would install, or nothing.
candidate()
{
  apt-cache policy "$1" 2>/dev/null |
    sed -n 's/^ *Candidate: *\([0-9].*\)/\1/p'
}

hasPackageLists() { [ -n "$(candidate libopenblas-dev)" ]; }

# Those of the named packages that apt can install; all, where it cannot tell.
offered()
{
  if ! hasPackageLists; then echo "$*"; return; fi
  for package in "$@"; do
    [ -z "$(candidate "$package")" ] || printf '%s ' "$package"
  done
}

osField() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" /etc/os-release; }

isNewEnough() { [ -n "$1" ] && dpkg --compare-versions "$1" ge "$2"; }

# "4.6" of 4.6.0-1: within a generation, headers can be exchanged.
generationOf() { echo "$1" | sed 's/^\([0-9]*\.[0-9]*\).*/\1/'; }

# Whether a version of mlpack is recent enough, and the one asked for.
isWanted()
{
  isNewEnough "$1" "$minMlpack" &&
    { [ -z "$wanted" ] || [ "$(generationOf "$1")" = "$wanted" ]; }
}

# The version of mlpack that the system has or offers, or nothing.
systemMlpack()
{
  version=$(dpkg-query -W -f '${Version}' libmlpack-dev 2>/dev/null || true)
  [ -n "$version" ] || version=$(candidate libmlpack-dev)
  if [ -z "$version" ] && ! hasPackageLists; then
    # No package lists yet: the releases that are known to carry it.
    case $(osField ID)$(osField VERSION_ID) in
      debian13) version=4.6 ;;
      ubuntu26.*) version=4.6 ;;
    esac
  fi
  echo "$version"
}

# Whether each file is there that the headers below a directory include.
areComplete()
{
  set -- "$1" -DARMA_DONT_USE_WRAPPER
  [ -e "$1/mlpack/core/stb/bundled" ] || set -- "$@" -DMLPACK_USE_SYSTEM_STB
  echo '#include <mlpack.hpp>' |
    c++ -std=c++17 -E -x c++ -o /dev/null -I "$@" - >>"$stage/log" 2>&1
}

makeStage()
{
  mkdir -p "$stage" 2>/dev/null ||
    die "cannot write to $deps: run this as a user who may write to the checkout."
  trap 'rm -rf "$stage"' EXIT
  trap 'exit 1' HUP INT TERM
}

# What runs that were cut off have left.
removeStaleStages()
{
  for stale in "$deps"/stage.*; do
    kill -0 "${stale##*.}" 2>/dev/null || rm -rf "$stale"
  done
}

## Packages of the system.

installAsRoot()
{
  say "installing $*"
  export DEBIAN_FRONTEND=noninteractive
  # Finish what an interrupted installation left behind.
  dpkg --configure -a >"$stage/log" 2>&1 || true
  apt-get -q -y --no-install-recommends install "$@" >"$stage/log" 2>&1
}

updateAsRoot()
{
  apt-get -q -o APT::Update::Error-Mode=any update >"$stage/log" 2>&1
}

# Stops with one sentence and apt's first reason.
failWithLog()
{
  why=$(sed -n 's/^E: //p' "$stage/log" | head -n 1)
  die "$*${why:+ (apt-get: $why)}"
}

requiredPackages()
{
  echo "$basePackages"
  if [ -n "$useSystemMlpack" ]; then echo "$mlpackPackages"; fi
}

optionalPackages()
{
  [ -z "$wantOptional" ] || echo "$onnxPackages $nodePackages" \
    "$picturePackages $benchmarkPackages $mpiPackages" \
    "$pythonPackages $pythonTestPackages $formatPackages"
}

installPackages()
{
  required=$(missing $(requiredPackages))
  optional=$(missing $(optionalPackages))
  if [ "$(id -u)" -ne 0 ]; then
    [ -n "$required" ] || return 0
    say "packages are missing. As root, run this line and then start again:"
    echo "apt-get update && apt-get install -y --no-install-recommends" \
      $required $(offered $optional)
    exit 1
  fi
  [ -n "$required" ] || [ ! -e "$deps/optional.tried" ] || [ -n "$retry" ] ||
    return 0
  [ -n "$required$optional" ] || return 0
  makeStage
  if ! updateAsRoot; then
    [ -z "$required" ] ||
      failWithLog "cannot read the package lists: check the network and run this again."
    return 0
  fi
  # Lists that have just arrived may tell that mlpack is there after all.
  chooseMlpack
  required=$(missing $(requiredPackages))
  if [ -n "$required" ]; then
    installAsRoot $required ||
      failWithLog "apt-get could not install $required: see the reason, and run this again."
  fi
  for group in "$onnxPackages" "$nodePackages" "$picturePackages" \
      "$benchmarkPackages" "$mpiPackages" "$pythonPackages" \
      "$pythonTestPackages" "$formatPackages"; do
    [ -n "$wantOptional" ] || break
    names=$(missing $group)
    [ -z "$names" ] || [ "$(offered $names)" != "$names" ] ||
      installAsRoot $names || true
  done
}

checkCMake()
{
  version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version *//p')
  isNewEnough "${version:-0}" "$minCMake" ||
    die "CMake ${version:-(unknown)} ($(command -v cmake)) is too old: symvi" \
      "needs $minCMake or newer; remove it or put a newer one first in PATH."
}

## Headers of a later release.

# Newest first.
laterSuites()
{
  if [ -n "${SYMVI_SUITE:-}" ]; then echo "$SYMVI_SUITE"; return; fi
  case $(osField ID) in
    debian) echo "forky trixie" ;;
    ubuntu) echo "resolute questing" ;;
    *) die "this system offers no mlpack ${wanted:->= $minMlpack}, and no later" \
         "release of '$(osField ID)' is known here: name one in SYMVI_SUITE," \
         "or install mlpack." ;;
  esac
}

# The repository that this machine's own apt asks for its release.
repository()
{
  mkdir -p "$stage/none/partial"
  apt-get -o Debug::NoLocking=1 -o Dir::State::Lists="$stage/none" \
    update --print-uris 2>/dev/null |
    sed -n "s|^'\(.*\)/dists/$(osField VERSION_CODENAME)/InRelease'.*|\1|p" |
    head -n 1
}

# Runs an apt tool on the later release alone, with its state in the stage.
# (The configuration file, unlike -o, takes paths with spaces.)
laterApt()
{
  tool=$1
  shift
  APT_CONFIG=$stage/apt.conf "$tool" -q "$@" 2>>"$stage/log"
}

writeLaterSources()
{
  mkdir -p "$stage/lists/partial" "$stage/cache/archives/partial" "$stage/debs" \
    "$stage/prefix"
  {
    echo "Types: deb"
    echo "URIs: $1"
    echo "Suites: $2"
    case $(osField ID) in
      ubuntu) echo "Components: main universe" ;;
      *) echo "Components: main" ;;
    esac
    keyring=/usr/share/keyrings/$(osField ID)-archive-keyring.gpg
    [ ! -r "$keyring" ] || echo "Signed-By: $keyring"
  } >"$stage/later.sources"
  cat >"$stage/apt.conf" <<END
Dir::Etc::SourceList "$stage/later.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State::Lists "$stage/lists";
Dir::Cache "$stage/cache";
APT::Sandbox::User "$(id -un)";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
END
}

# Downloads the named packages of the later release into the stage.
download()
{
  reason="it cannot be fetched"
  (cd "$stage/debs" && laterApt apt-get download "$@" >>"$stage/log")
}

# Unpacks the headers of a release into the stage, if they are wanted, and sets
# `generation`; says in `reason` why not.
fetchHeaders()
{
  rm -rf "$stage/debs" "$stage/prefix" "$stage/lists" "$stage/cache"
  writeLaterSources "$1" "$2"
  reason="its package lists cannot be fetched"
  laterApt apt-get update >>"$stage/log" || return 1
  version=$(export APT_CONFIG="$stage/apt.conf"; candidate libmlpack-dev)
  reason="it has mlpack ${version:-not at all}"
  isWanted "$version" || return 1
  generation=$(generationOf "$version")
  [ -n "$wanted${SYMVI_SUITE:-}" ] || isNewEnough "$maxMlpack" "$generation" ||
    return 1
  [ ! -d "$deps/mlpack-$generation" ] || return 0
  download $mlpackPackages || return 1
  for package in "$stage"/debs/*.deb; do
    dpkg-deb -x "$package" "$stage/prefix" || die "cannot unpack $package."
  done
  include=$stage/prefix/usr/include
  if ! areComplete "$include"; then
    say "passed over libmlpack-dev $version of $2, which lacks files that it" \
      "includes; taking $spareMlpackPackage"
    download $spareMlpackPackage || return 1
    dpkg-deb -x "$stage"/debs/${spareMlpackPackage}_*.deb "$stage/spare"
    rm -rf "$include/mlpack" "$include/mlpack.hpp"
    reason="its packages of mlpack $version lack files that they include"
    mv "$stage"/spare/usr/lib/python3/dist-packages/mlpack/include/* \
      "$include" 2>>"$stage/log" && areComplete "$include" || return 1
  fi
  # Complete: put it in place.  Only the headers; the rest would dangle.
  mkdir "$stage/tree" && mv "$include" "$stage/tree/include" &&
    mv "$stage/tree" "$deps/mlpack-$generation" ||
    die "cannot write to $deps."
}

fetchFromLaterSuites()
{
  what="mlpack ${wanted:->= $minMlpack}"
  say "fetching the headers of $what into $deps"
  [ -d "$stage" ] || makeStage
  : >"$stage/log"
  uri=$(repository)
  [ -n "$uri" ] ||
    die "apt's configuration names no repository of '$(osField VERSION_CODENAME)'."
  found=
  for suite in $(laterSuites); do
    if fetchHeaders "$uri" "$suite"; then found=yes; break; fi
    say "passed over $suite: $reason"
  done
  [ -n "$found" ] || failWithLog "no headers of $what: check the network, or" \
    "name another release in SYMVI_SUITE, and run this again."
}

# What a run without SYMVI_MLPACK took is what CMake takes without it.
setUpHeaders()
{
  [ -n "$generation" ] || generation=$maxMlpack
  headersAreInPlace || fetchFromLaterSuites
  [ -n "$wanted" ] || [ -e "$deps/mlpack.default" ] ||
    echo "$generation" >"$deps/mlpack.default"
}

## Optional parts.

setUpNodeModule()
{
  [ -z "$(missing $nodePackages)" ] || return 0
  [ ! -e "$deps/node.done" ] || return 0
  [ ! -e "$deps/optional.tried" ] || [ -n "$retry" ] || return 0
  say "fetching $nodeModule into $deps/node"
  [ -d "$stage" ] || makeStage
  rm -rf "$deps/node"
  mkdir -p "$deps/node"
  # Node brings its own list of certificates: add the system's.
  bundle=/etc/ssl/certs/ca-certificates.crt
  [ ! -r "$bundle" ] || export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$bundle}"
  # --ignore-scripts: nothing from the package runs here; its library for the
  # processor is inside.
  if (cd "$deps/node" && npm install --prefix "$deps/node" --ignore-scripts \
      --no-audit --no-fund --no-package-lock --fetch-retries=1 "$nodeModule") \
      >"$stage/log" 2>&1; then
    rm -rf "$deps"/node/node_modules/onnxruntime-node/bin/*/darwin \
      "$deps"/node/node_modules/onnxruntime-node/bin/*/win32
    : >"$deps/node.done"
  else
    rm -rf "$deps/node"
  fi
}

reportSkipped()
{
  [ -z "$(missing $onnxPackages)" ] ||
    say "skipped: ONNX import and export ($(missing $onnxPackages)not installed)"
  [ -e "$deps/node.done" ] ||
    say "skipped: ONNX runtime tests (Node or its module onnxruntime-node not installed)"
  [ -z "$(missing $picturePackages)" ] ||
    say "skipped: pictures by gnuplot (gnuplot-nox not installed)"
  [ -z "$(missing $pythonPackages)" ] ||
    say "skipped: the Python package ($(missing $pythonPackages)not installed)"
  [ -z "$(missing $pythonTestPackages)" ] ||
    say "skipped: tests of the Python package ($(missing $pythonTestPackages)not installed)"
  [ -z "$(missing $benchmarkPackages)" ] ||
    say "skipped: benchmarks (libbenchmark-dev not installed)"
  [ -z "$(missing $formatPackages)" ] ||
    say "skipped: the check of the format (clang-format not installed)"
  [ -z "$(missing $mpiPackages)" ] ||
    say "skipped: several machines by MPI ($(missing $mpiPackages)not installed)"
}

setUpOptional()
{
  setUpNodeModule
  mkdir -p "$deps" 2>/dev/null || true
  [ -e "$deps/optional.tried" ] || : >"$deps/optional.tried"
  reportSkipped
}

headersAreInPlace()
{
  [ -n "$generation" ] && [ -d "$deps/mlpack-$generation" ]
}

# Headers that are in place already decide it; else apt is asked, slowly.
chooseMlpack()
{
  generation=$wanted
  [ -n "$wanted" ] || [ ! -e "$deps/mlpack.default" ] ||
    generation=$(cat "$deps/mlpack.default")
  useSystemMlpack=
  headersAreInPlace || ! isWanted "$(systemMlpack)" || useSystemMlpack=yes
}

# The system's own package may lack files, too; asked once for each version.
checkSystemMlpack()
{
  version=$(systemMlpack)
  [ "$(cat "$deps/system.complete" 2>/dev/null)" != "$version" ] || return 0
  [ -d "$stage" ] || makeStage
  if areComplete /usr/include; then
    echo "$version" >"$deps/system.complete"
  else
    say "passed over the system's libmlpack-dev $version, which lacks files" \
      "that it includes"
    useSystemMlpack=
  fi
}

## The run.

for tool in apt-get apt-cache dpkg dpkg-query dpkg-deb; do
  command -v $tool >/dev/null 2>&1 ||
    die "this system has no $tool: install CMake >= $minCMake, a C++17 compiler," \
      "OpenBLAS, mlpack >= $minMlpack with its headers, Catch2 and CLI11 by" \
      "hand, and set SYMVI_SKIP_SETUP=1."
done
mkdir -p "$deps" 2>/dev/null && [ -w "$deps" ] ||
  die "cannot write to $root: run this as a user who may write to the checkout."
removeStaleStages

chooseMlpack
if [ -n "$wantPackages" ]; then
  installPackages
  checkCMake
fi
[ -z "$useSystemMlpack" ] || checkSystemMlpack
[ -n "$useSystemMlpack" ] || setUpHeaders
[ -z "$wantOptional" ] || setUpOptional
say "ready"
