# Ensembles, calibration and conformal prediction.
. "$(dirname "$0")/common.sh"

# Half of iris to train on, the rest in three parts.
awk 'NR > 1 && NR % 2' "$data/iris.csv" > train.csv
for part in 0 1 2; do
  awk -v p=$part 'NR > 1 && NR % 2 == 0 && int(NR / 2) % 3 == p' \
      "$data/iris.csv" > part$part.csv
done
train="symvi_bnn -t train.csv --task classification --hidden 6 --epochs 200
    --seed 3"
expect_ok $train --ensemble 3 -M e.bin --history_file h.csv
[ "$(head -1 h.csv | cut -d, -f1)" = member ] || fail "no member in history"
[ "$(wc -l < h.csv)" -eq 601 ] || fail "history of three members"
expect_ok $train --ensemble 3 --threads 1 -M f.bin
expect_same e.bin f.bin
expect_ok $train -M one.bin
expect_ok $train --ensemble 1 -M same.bin
expect_same one.bin same.bin

# All programs read the file.
expect_ok symvi_evaluate -m e.bin -T part0.csv --json
above "$(json accuracy < stdout.log)" 0.85 "accuracy"
expect_ok symvi_inspect -m e.bin --member 2 --prune 0.3 -M pruned.bin
grep -q "3 members; of member 2" stdout.log || fail "member"
[ "$(grep -c '^Pruned' stdout.log)" -eq 3 ] || fail "three members to prune"
expect_ok symvi_bnn -m pruned.bin -T part0.csv -p p.csv -u u.csv --draws 10
head -1 u.csv | grep -q between_members || fail "no part between members"
if command -v symvi_onnx > which.log; then
  expect_ok symvi_onnx -m e.bin --mode ensemble --samples 9 -o e.onnx
  [ -s e.onnx ] || fail "no ONNX file"
  expect_error "need the mode 'ensemble'" symvi_onnx -m e.bin -o x.onnx
fi

# Interrupted members go on where they were.
long="symvi_bnn -t train.csv --task classification --hidden 6 --epochs 8000
    --seed 3 --ensemble 3"
( $long --threads 1 --checkpoint_file run --checkpoint_every 100 -M g.bin \
      > stdout.log 2> stderr.log & pid=$!
  while [ ! -e run.1 ] && kill -0 $pid; do sleep 0.02; done
  kill -INT $pid; wait $pid; echo $? > code.log )
[ "$(cat code.log)" -eq 130 ] || fail "exit code after an interruption"
expect_ok $long --checkpoint_file run --checkpoint_every 100 --resume -M g.bin
expect_ok $long -M whole.bin
expect_same g.bin whole.bin

# Calibration, sets, and points out of distribution.
expect_ok symvi_bnn -m e.bin -T part0.csv --calibration_file part1.csv \
    --conformal_file part2.csv --interval 0.8 --sets_file s.csv \
    --probabilities_file q.csv
[ "$(wc -l < s.csv)" -eq "$(wc -l < part0.csv)" ] || fail "sets"
awk -F, '{ s = $1 + $2 + $3; if (s < .999 || s > 1.001) exit 1 }' q.csv ||
    fail "probabilities with a temperature"
awk -F, -v OFS=, '{ print $1 + 20, $2 - 20, $3 + 20, $4 }' part0.csv > ood.csv
expect_ok symvi_evaluate -m one.bin -T part0.csv --ood_file ood.csv --json
above "$(json auroc_mutual_information < stdout.log)" -0.001 "AUROC"
below "$(json auroc_entropy < stdout.log)" 1.001 "AUROC"

# A regression: with 110 conformal points the coverage of 0.8 is exact up to
# 1 / 111, that of 110 other points has a standard error of 0.055 with it.
paste -d' ' "$data/diabetes.csv" "$data/diabetes_target.csv" > d.txt
for part in 0 1 2 3; do
  awk -v p=$part 'NR % 4 == p' d.txt > d$part.txt
done
expect_ok symvi_bnn -t d0.txt --task regression --hidden 5 --epochs 100 \
    --seed 3 --ensemble 2 -M d.bin
expect_ok symvi_bnn -m d.bin -T d1.txt --calibration_file d2.txt \
    --conformal_file d3.txt --interval 0.8 -u u.csv
tail -n +2 u.csv | awk -F, '{ print $3, $4 }' > bounds.txt
awk '{ print $NF }' d1.txt | paste -d' ' bounds.txt - |
    awk '{ n += ($1 <= $3 && $3 <= $2) } END { print n / NR }' > coverage.txt
above "$(cat coverage.txt)" 0.58 "coverage"
below "$(cat coverage.txt)" 0.999 "coverage"

# Mistakes.
expect_error "serve nothing else" symvi_bnn -m e.bin -T part0.csv \
    --calibration_file part1.csv --conformal_file part1.csv
expect_error "needs --conformal_file" symvi_bnn -m e.bin -T part0.csv \
    --sets_file s.csv
expect_error "which decides it" symvi_bnn -m e.bin -t train.csv \
    --task classification --ensemble 2 -M x.bin
expect_error "must be at most" symvi_inspect -m e.bin --member 4
finish
