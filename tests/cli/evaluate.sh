# The table, JSON and the HTML report.
. "$(dirname "$0")/common.sh"

expect_ok symvi_bnn -t "$data/iris.csv" --task classification --hidden 6,5 \
    --epochs 400 --seed 3 --validation 0.2 -M m.bin
expect_ok symvi_evaluate -m m.bin -T "$data/iris.csv" --report_file r.html
cp stdout.log table.log
for word in Accuracy "Brier score" "Expected calibration error" "I(g;w)" \
    "L^G = L + I(g;w)" "log|G|" "Importance-weighted bound" "Pareto k" \
    "log p(Y | X) is at least"; do
  grep -qF "$word" table.log || fail "'$word' is not in the table"
done
expect_ok symvi_evaluate -m m.bin -T "$data/iris.csv" --json
cp stdout.log result.json
if command -v python3 > which.log; then
  python3 -c 'import json, sys; json.load(open("result.json"))' ||
      fail "this is not JSON"
fi
above "$(json log_group_order < result.json)" 11.366 "log(6! 5!)"
below "$(json log_group_order < result.json)" 11.368 "log(6! 5!)"
below "$(json information_lower < result.json)" \
    "$(json information_upper < result.json | awk '{ printf "%.12f\n", $1 + 1e-9 }')"
# The same draws with q^G: at least L^G.
above "$(json evidence_bound < result.json)" \
    "$(json symmetrized_elbo < result.json)" "importance-weighted bound"
grep -q '"evidence_samples": 100' result.json || fail "evidence_samples"
expect_ok symvi_evaluate -m m.bin -T "$data/iris.csv" --samples 20
grep -q "at least 25 samples" stdout.log || fail "too few samples for k"

# One file: nothing is fetched, no script, and the diagrams are there.
grep -qiE '<script|<link|src=|url\(|https?:' r.html && fail "not self-contained"
[ "$(grep -c '<svg' r.html)" -ge 10 ] || fail "diagrams are missing"
[ "$(grep -c '<svg' r.html)" -eq "$(grep -c '</svg>' r.html)" ] || fail "tags"
for word in "Importance weights, sorted" Reliability Entropy "Mutual information" "Evidence lower bound" \
    "Signal-to-noise" "Distances between units of hidden layer 2"; do
  grep -q "$word" r.html || fail "'$word' is not in the report"
done
grep -qi 'nan' r.html && fail "the report holds a NaN"
if command -v xmllint > which.log; then
  xmllint --html --noout r.html 2> lint.log
  grep -v 'Tag [a-z]* invalid' lint.log | grep -q 'error' && fail "bad HTML"
fi

# Regression, with another interval.
paste -d' ' "$data/diabetes.csv" "$data/diabetes_target.csv" > d.txt
expect_ok symvi_bnn -t d.txt --task regression --hidden 5 --epochs 200 \
    --seed 3 -M d.bin
expect_ok symvi_evaluate -m d.bin -T d.txt --interval 0.5 --report_file d.html
grep -q "Coverage of the 50 % interval" stdout.log || fail "interval"
grep -qi 'nan' d.html && fail "the report of a regression holds a NaN"
expect_ok symvi_evaluate -m d.bin -T d.txt --interval 0.5 --json
above "$(json coverage < stdout.log)" 0.35 "coverage"
below "$(json coverage < stdout.log)" 0.7 "coverage"
below "$(json interval_calibration_error < stdout.log)" 0.15 "calibration"
finish
