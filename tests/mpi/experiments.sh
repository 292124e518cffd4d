# Experiments shared out over ranks: the numbers of one process, and a job that
# is killed goes on where it was.
. "$(dirname "$0")/mpirun.sh"

# The whole rows of a table but for the seconds, which come last.
rows()
{
  awk -F, 'NR > 1 && NF == 5 { print $1, $2, $3, $4 }' "$1/runs.csv" | sort
}

options="--quick --methods plain,mean-field,symmetrized --splits 2"
expect_ok uci $options --jobs 1 --output one
expect_ok ranks 2 uci $options --output two
grep -q '^holds' stdout.log || fail "no claims: $(cat stdout.log)"
[ "$(grep -c '^holds' stdout.log)" -eq 1 ] || fail "ranks that speak"
[ "$(rows one)" = "$(rows two)" ] || fail "rows of one process and of two ranks"
[ "$(rows one | wc -l)" -eq 12 ] || fail "rows: $(rows one)"
[ -s two/table.csv ] || fail "no table"

# Two thirds of the rows are lost, and half a line is left.
head -5 two/runs.csv > short.csv
tail -1 two/runs.csv | head -c 20 >> short.csv
mv short.csv two/runs.csv
expect_ok ranks 3 uci $options --output two
[ "$(rows one)" = "$(rows two)" ] || fail "a job that goes on"
grep -q '8 of 8' stderr.log || fail "all runs were done again"

# Killed as a whole.
$mpirun -n 2 uci $options --output three > stdout.log 2> stderr.log &
pid=$!
for i in $(seq 1000); do
  [ "$(cat three/runs.csv 2> /dev/null | wc -l)" -lt 3 ] || break
  kill -0 $pid 2> /dev/null || break
  sleep 0.02
done
kill -9 $(pgrep -P $pid uci)
wait $pid && fail "a killed job went unnoticed"
expect_ok ranks 2 uci $options --output three
[ "$(rows one)" = "$(rows three)" ] || fail "a job that was killed"

finish
