# Models to ONNX and back.
. "$(dirname "$0")/common.sh"

expect_ok symvi_bnn -t "$data/iris.csv" --task classification --hidden 8 \
    --epochs 60 --seed 3 -M m.bin
for mode in mean ensemble sampling noise; do
  expect_ok symvi_onnx -m m.bin --mode $mode --samples 8 -o $mode.onnx
  [ -s $mode.onnx ] || fail "no file of mode $mode"
done
for key in prior_stddev objective estimator num_points elbo symmetrized_elbo; do
  grep -aq "symvi.$key" mean.onnx || fail "no metadata symvi.$key"
done
expect_ok symvi_onnx -m m.bin --mode ensemble --samples 8 -o again.onnx
expect_same ensemble.onnx again.onnx

# float32 is the default, and float64 at most twice as large.
expect_ok symvi_onnx -m m.bin --mode noise --double -o double.onnx
[ "$(wc -c < double.onnx)" -gt "$(wc -c < noise.onnx)" ] || fail "no double"

# The posterior survives a round trip; the mean network becomes a start.
expect_ok symvi_onnx -i noise.onnx -M back.bin
expect_ok symvi_bnn -m m.bin -T "$data/iris.csv" -p p1.csv --seed 1 \
    --probabilities_file q1.csv
expect_ok symvi_bnn -m back.bin -T "$data/iris.csv" -p p2.csv --seed 1 \
    --probabilities_file q2.csv
paste -d, q1.csv q2.csv | awk -F, '{ for (i = 1; i <= 3; ++i) {
  d = $i - $(i + 3); if (d * d > 1e-8) exit 1 } }' ||
    fail "a round trip changes probabilities"
expect_ok symvi_onnx -i mean.onnx -M start.bin
expect_ok symvi_bnn -m start.bin -t "$data/iris.csv" --task classification \
    --epochs 200 --seed 1 -M tuned.bin
symvi_evaluate -m tuned.bin -T "$data/iris.csv" --json > tuned.json
above "$(json accuracy < tuned.json)" 0.9 "accuracy after import"

# Regression.
paste -d' ' "$data/diabetes.csv" "$data/diabetes_target.csv" > d.txt
expect_ok symvi_bnn -t d.txt --task regression --hidden 5 --epochs 20 \
    --seed 3 -M d.bin
expect_ok symvi_onnx -m d.bin --mode noise -o d.onnx
expect_ok symvi_onnx -i d.onnx -M e.bin
symvi_evaluate -m d.bin -T d.txt --seed 1 --json > d.json
symvi_evaluate -m e.bin -T d.txt --seed 1 --json > e.json
above "$(json rmse < e.json)" "$(json rmse < d.json | awk '{ print $1 - 0.1 }')"
below "$(json rmse < e.json)" "$(json rmse < d.json | awk '{ print $1 + 0.1 }')"

# One level of noise survives too.
expect_ok symvi_bnn -t d.txt --task regression --hidden 5 --epochs 5 --seed 3 \
    --noise learned -M l.bin
expect_ok symvi_onnx -m l.bin --mode noise --double -o l.onnx
expect_ok symvi_onnx -i l.onnx -M k.bin
symvi_inspect -m l.bin | grep '^Noise' > l.txt
symvi_inspect -m k.bin | grep '^Noise' | cmp -s - l.txt || fail "learned noise"

# Mistakes.
expect_error "there is no output 'median'" symvi_onnx -i mean.onnx \
    --output median -M x.bin
expect_error "for an import" symvi_onnx -i mean.onnx --double -M x.bin
head -c 100 mean.onnx > cut.onnx
expect_error "cannot import 'cut.onnx': " symvi_onnx -i cut.onnx -M x.bin
expect_error "'none.onnx'" symvi_onnx -i none.onnx -M x.bin
expect_error "either --input_model_file" symvi_onnx -o x.onnx
expect_error "for an export" symvi_onnx -m m.bin -o x.onnx --task regression
expect_error "contradicts" symvi_onnx -i mean.onnx --task regression -M x.bin
expect_error "must name 3 classes" symvi_onnx -i mean.onnx --class_names a,b \
    -M x.bin
finish
