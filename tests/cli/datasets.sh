# Data that nobody prepared for these programs, end to end.
. "$(dirname "$0")/common.sh"

# Two thirds to train, one third to test; the first line is no point.
split_file()
{
  awk -v skip="$2" 'NR > skip { print > ((NR % 3 == 0) ? "test" : "train") }' \
      "$1"
}

classify()
{
  split_file "$data/$1" 1
  expect_ok symvi_bnn -t train --task classification --seed 3 -M m.bin \
      --epochs "$3" -T test -p p.csv --probabilities_file q.csv -u u.csv
  symvi_evaluate -m m.bin -T test --json --samples 20 > result.json ||
      fail "$1: symvi_evaluate"
  above "$(json accuracy < result.json)" "$2" "$1: accuracy"
  below "$(json ece < result.json)" 0.2 "$1: calibration error"
  below "$(json elbo < result.json)" "$(json symmetrized_elbo < result.json)" \
      "$1: L is not below L^G:"
  [ "$(wc -l < p.csv)" -eq "$(wc -l < test)" ] || fail "$1: predictions"
  [ "$(wc -l < u.csv)" -eq $(($(wc -l < test) + 1)) ] || fail "$1: header"
  awk -F, '{ s = 0; for (i = 1; i <= NF; ++i) s += $i
    if (s < 0.999999 || s > 1.000001) exit 1 }' q.csv ||
      fail "$1: probabilities do not sum to 1"
  # The predictions are the labels as they were written.
  cut -d, -f "$(head -1 test | awk -F, '{ print NF }')" test > truth
  right=$(paste -d, p.csv truth | awk -F, '$1 == $2' | wc -l)
  below "$(json accuracy < result.json)" \
      "$(awk -v r="$right" -v n="$(wc -l < test)" 'BEGIN { print r / n + 1e-5 }')"
}

classify iris.csv 0.9 150
# mlpack's options: predictions are scored if their labels are known.
cut -d, -f1-4 test > x.csv
cut -d, -f5 test > l.csv
expect_ok symvi_bnn -m m.bin -T x.csv -L l.csv -p p.csv -P q.csv
above "$(awk '/^  Accuracy/ { print $2 }' stdout.log)" 0.9 "accuracy of -L"
expect_ok symvi_evaluate -m m.bin -T x.csv -L l.csv --json --samples 2
above "$(json accuracy < stdout.log)" 0.9 "accuracy of symvi_evaluate -L"
classify wine.csv 0.9 150
classify breast_cancer.csv 0.92 40

# Regression: points and responses in files of their own.
split_file "$data/diabetes.csv" 0
mv train x.txt; mv test xt.txt
split_file "$data/diabetes_target.csv" 0
mv train y.txt; mv test yt.txt
for noise in learned heteroscedastic 55; do
  expect_ok symvi_bnn -t x.txt -r y.txt --hidden 10 --epochs 100 --seed 4 \
      --noise $noise -M d.bin -T xt.txt -p p.txt -u u.csv
  symvi_evaluate -m d.bin -T xt.txt -r yt.txt --json --samples 20 \
      > result.json || fail "diabetes, $noise: symvi_evaluate"
  # The responses' standard deviation is 77; linear regression has about 55.
  below "$(json rmse < result.json)" 65 "diabetes, $noise: RMSE"
  above "$(json coverage < result.json)" 0.85 "diabetes, $noise: coverage"
  below "$(json nll < result.json)" 6 "diabetes, $noise: NLL"
  paste -d' ' p.txt yt.txt | awk -v r="$(json rmse < result.json)" '
    { s += ($1 - $2)^2 } END { d = sqrt(s / NR) - r; exit !(d * d < 1e-6) }' ||
      fail "diabetes, $noise: predictions are not in the responses' units"
  awk -F, 'NR > 1 && !($1 > 0 && $2 > 0 && $3 < $4) { exit 1 }' u.csv ||
      fail "diabetes, $noise: uncertainties"
done
# A known noise stays what it was.
below "$(json mean_aleatoric_stddev < result.json)" 55.001 "noise"
above "$(json mean_aleatoric_stddev < result.json)" 54.999 "noise"

# The target as a named column, several responses, and a linear model.
(echo "a;b;y"; awk '{ print $1 ";" $3 ";" $4 }' xt.txt) > named.csv
expect_ok symvi_bnn -t named.csv --task regression --target_column y \
    --epochs 20 --hidden 0 --method mfvi -M l.bin -T named.csv -p p.csv
[ "$(wc -l < p.csv)" -eq "$(wc -l < xt.txt)" ] || fail "named target column"
awk '{ print $1, $1 * 2 }' yt.txt > two.txt
expect_ok symvi_bnn -t xt.txt -r two.txt --epochs 5 --hidden 4,3 -M t.bin \
    -T xt.txt -p p.txt -u u.csv --draws 20 --draws_file d.csv
[ "$(head -1 p.txt | wc -w)" -eq 2 ] || fail "two responses"
[ "$(head -1 u.csv | tr , '\n' | wc -l)" -eq 8 ] || fail "eight uncertainties"
[ "$(head -1 d.csv | tr , '\n' | wc -l)" -eq 40 ] || fail "forty draws"

# Every estimator and every activation function that the help names.
for estimator in auto exact importance uniform; do
  expect_ok symvi_bnn -t "$data/iris.csv" --task classification --epochs 2 \
      --hidden 4,3 --estimator $estimator --seed 1 -M o.bin
  expect_ok symvi_evaluate -m o.bin -T "$data/iris.csv" --draws 10 \
      --samples 2 --estimator $estimator
done
for activation in relu tanh sigmoid leaky_relu elu softplus gelu; do
  expect_ok symvi_bnn -t "$data/iris.csv" --task classification --epochs 2 \
      --hidden 4 --activation $activation --seed 1 -M o.bin
done
for method in sgm mfvi; do
  expect_ok symvi_bnn -t "$data/iris.csv" --task classification --epochs 2 \
      --hidden 6 --method $method --seed 1 --samples 3 --batch_size 150 \
      --history_file $method.csv
done
[ "$(tail -1 mfvi.csv | cut -d, -f5)" = 0 ] || fail "mfvi has no I(g;w)"
above "$(tail -1 sgm.csv | cut -d, -f5)" 0 "I(g;w) of sgm"
finish
