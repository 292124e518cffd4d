# Help pages, --info, --version, manual pages and completion.
. "$(dirname "$0")/common.sh"

for program in $all; do
  expect_ok $program --help
  cp stdout.log long.log
  expect_ok $program -h
  expect_same stdout.log long.log
  grep -q '^Optional input options: $' long.log || fail "$program: no inputs"
  grep -q '^Optional output options: $' long.log || fail "$program: no outputs"
  grep -q '^  --help (-h) \[flag\]' long.log || fail "$program: no --help"
  grep -q "^  \$ $program " long.log || fail "$program: no example"
  awk 'length > 80 { exit 1 }' long.log || fail "$program: a long line"
  [ -s stderr.log ] && fail "$program: --help wrote to the standard error"
  expect_ok $program --version
  grep -q "^$program: part of symvi [0-9.]* (mlpack [0-9.]*, ensmallen [0-9.]*, Armadillo [0-9.]*)\.$" stdout.log ||
      fail "$program: version"

  page=$programs/pages/$program.1
  [ -s "$page" ] || fail "$program: no manual page"
  # Every option of the help is in the manual and in the completion.
  for option in $(sed -n 's/^  --\([a-z_]*\).*/\1/p' long.log); do
    grep -q "^\\\\fB\\\\-\\\\-$option\\\\fP" "$page" ||
        fail "$program: --$option is not in the manual page"
    grep -q -e "--$option" "$programs/pages/symvi" ||
        fail "$program: --$option is not completed"
  done
  if command -v man > man.log; then
    [ -z "$(man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 > page.log)" ] ||
        fail "$program: man warns"
  fi
done

expect_ok symvi_bnn --info hidden
grep -q '^  --hidden (-H) \[string\]' stdout.log || fail "--info hidden"
[ "$(grep -c -e ' --' stdout.log)" -eq 1 ] || fail "--info shows more than one"
expect_error "did you mean '--hidden'" symvi_bnn --info hiden

# Completion: option names, choices, files.
. "$programs/pages/symvi"
complete_with()
{
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  "_$1"
  echo "${COMPREPLY[*]}"
}
[ "$(complete_with symvi_bnn --act)" = "--activation" ] || fail "option name"
[ "$(complete_with symvi_bnn --method m)" = "mfvi" ] || fail "choice"
touch points.csv
[ "$(complete_with symvi_bnn -t poi)" = "points.csv" ] || fail "file"
finish
