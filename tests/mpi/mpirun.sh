# Shared by the tests of several ranks: bash NAME.sh PROGRAM_FOLDER DATA_FOLDER
# HELPER MPIRUN [FLAG]...
helper=$3
mpirun=${*:4}
. "$(dirname "$0")/../cli/common.sh"

# ranks COUNT COMMAND...: a hang is exit code 124.
ranks()
{
  timeout 60 $mpirun -n "$@"
}

# What ranks have said, each sentence once: mpirun of OpenMPI 5 may print it more
# than once, with bytes of 0 in front of it.
sentences()
{
  tr -d '\0' < stderr.log | grep '^\[FATAL\] ' | sort -u
}

# expect_end PATTERN COMMAND...: without hanging, with an exit code that is not
# 0, one sentence that matches, and no file touched.
expect_end()
{
  local pattern=$1 before code
  shift
  before=$(snapshot)
  "$@" > stdout.log 2> stderr.log
  code=$?
  [ $code -ne 0 ] && [ $code -ne 124 ] || fail "exit code $code of: $*"
  [ "$(sentences | wc -l)" -eq 1 ] ||
      fail "not one sentence of: $* ($(tr -d '\0' < stderr.log))"
  sentences | grep -q -e "$pattern" ||
      fail "'$pattern' is missing in: $(tr -d '\0' < stderr.log)"
  [ "$before" = "$(snapshot)" ] || fail "files were touched by: $*"
}

# expect_close FILE FILE: tables of numbers that are the same to rounding.
expect_close()
{
  [ "$(wc -l < "$1")" -eq "$(wc -l < "$2")" ] || fail "lines of $1 and $2"
  paste -d, "$1" "$2" | awk -F, '{ for (i = 1; i <= NF / 2; ++i) {
      d = $i - $(i + NF / 2); if (d < 0) d = -d; if (d > m) m = d } }
      END { exit !(m < 1e-9) }' || fail "$1 and $2 differ"
}
