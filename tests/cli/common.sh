# Shared by the tests of the programs: bash NAME.sh PROGRAM_FOLDER DATA_FOLDER PROGRAM...
set -u
export PATH="$1:$PATH" LC_ALL=C OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
programs=$1
data=$2
shift 2
all=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail()
{
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect_ok COMMAND...: exit code 0 and nothing fatal.
expect_ok()
{
  "$@" > stdout.log 2> stderr.log
  local code=$?
  [ $code -eq 0 ] || fail "exit code $code of: $* ($(head -c 300 stderr.log))"
}

# Everything in the folder but the logs.
snapshot()
{
  find . -type f ! -name '*.log' -exec md5sum {} + | sort
}

# expect_error PATTERN COMMAND...: exit code 1, one line on the standard error
# that matches, and not a file touched.
expect_error()
{
  local pattern=$1 before after code
  shift
  before=$(snapshot)
  "$@" > stdout.log 2> stderr.log
  code=$?
  after=$(snapshot)
  [ $code -eq 1 ] || fail "exit code $code instead of 1 of: $*"
  [ "$(grep -c '^\[FATAL\] ' stderr.log)" -eq 1 ] &&
      [ "$(grep -vc '^\[WARN \] ' stderr.log)" -eq 1 ] ||
      fail "not one sentence of: $* ($(cat stderr.log))"
  grep -q -e "$pattern" stderr.log ||
      fail "'$pattern' is missing in: $(cat stderr.log)"
  [ "$before" = "$after" ] || fail "files were touched by: $*"
}

# expect_same FILE FILE: equal bytes.
expect_same()
{
  cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

# below VALUE LIMIT and above VALUE LIMIT, for numbers with decimals.
below()
{
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }' ||
      fail "${3:-value} $1 is not below $2"
}
above()
{
  below "$2" "$1" "${3:-value}"
}

# json KEY < FILE: a number of symvi_evaluate --json.
json()
{
  sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p"
}

finish()
{
  [ $failures -eq 0 ] && echo "all right"
  exit $((failures > 0))
}
